/** Passing a match on: by what the device has for it, else by the clipboard. */

/** button: data-text, data-url; says: where it is told that it was copied. */
export function bindShare(button, says, phrases) {
  if (!button) return;
  button.hidden = !(navigator.share || navigator.clipboard);
  button.addEventListener("click", async () => {
    const { text, url } = button.dataset;
    says.textContent = "";
    try {
      if (navigator.share) await navigator.share({ text, url });
      else {
        await navigator.clipboard.writeText(`${text} ${url}`);
        says.textContent = phrases.say("shared");
      }
    } catch (error) {
      if (error.name !== "AbortError") says.textContent = phrases.say("share_failed");
    }
  });
}

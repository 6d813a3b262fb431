// Tells a player, with a sound and a message of the system, that their table is ready: only for
// who asked for it by a button, since browsers and people want to be asked.

const WANTED = "muggins.alerts";
const TOLD = "muggins.told";

export const wanted = () => localStorage.getItem(WANTED) === "on";

/** Makes the page's button work, and says how it stands. */
export function dressButton(button) {
  button.hidden = false;
  button.setAttribute("aria-pressed", String(wanted()));
  button.onclick = async () => {
    const on = !wanted();
    localStorage.setItem(WANTED, on ? "on" : "off");
    if (on) {
      beep();
      if ("Notification" in window) await Notification.requestPermission();
    }
    button.setAttribute("aria-pressed", String(on));
  };
}

/** Once for each table that waits, whatever pages are opened meanwhile. */
export function tell(bar) {
  const key = bar?.dataset.waiting ?? "";
  if (!key || !wanted() || localStorage.getItem(TOLD) === key) return;
  localStorage.setItem(TOLD, key);
  beep();
  if (document.hidden && "Notification" in window && Notification.permission === "granted") {
    const told = new Notification(bar.textContent.trim().replace(/\s+/g, " "), { tag: key });
    told.onclick = () => {
      focus();
      location.assign(bar.href);
    };
  }
}

/** Two short tones, made here: no file to fetch. */
function beep() {
  try {
    const audio = new AudioContext();
    for (const [index, pitch] of [660, 880].entries()) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const at = audio.currentTime + index * 0.18;
      volume.gain.setValueAtTime(0.15, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + 0.16);
      tone.frequency.value = pitch;
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.17);
    }
  } catch {
    // A browser without sound still shows the bar.
  }
}

// Says how an event will go while its settings are being chosen; without this a button does.

const shown = document.querySelector("[data-prospect]");
const form = shown?.closest("form");
const CALM = 600;
let timer;
let latest = 0;

async function look() {
  const own = ++latest;
  const data = new FormData(form);
  data.set("then", "look");
  if (!data.get("name")) data.set("name", "1");
  try {
    const answer = await fetch("?part", { method: "POST", body: data });
    const html = await answer.text();
    if (answer.ok && own === latest) shown.innerHTML = html;
  } catch {
    // Offline: what is shown stays.
  }
}

form?.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(look, CALM);
});

// The projector: fetches the next screen every few seconds, and tells the time.

const main = document.getElementById("screen");
const offline = document.getElementById("offline");
const FADE = matchMedia("(prefers-reduced-motion: no-preference)").matches ? 250 : 0;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

async function turn() {
  const next = main.querySelector("[data-next]").dataset.next;
  try {
    const answer = await fetch(main.dataset.state + next, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    const html = await answer.text();
    main.classList.add("turning");
    await wait(FADE);
    main.innerHTML = html;
    main.classList.remove("turning");
    offline.hidden = true;
    tell();
  } catch {
    offline.hidden = false;
  }
}

const language = document.documentElement.lang;

/** The time in the event's zone. */
function tell() {
  const clock = main.querySelector("[data-clock]");
  if (!clock) return;
  const shown = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  try {
    clock.textContent = new Intl.DateTimeFormat(language, { ...shown, timeZone: clock.dataset.zone }).format(new Date());
  } catch {
    clock.textContent = new Intl.DateTimeFormat(language, shown).format(new Date());
  }
}

/** Keeps the display awake where the browser lets us. */
const stayAwake = () => navigator.wakeLock?.request("screen").catch(() => {});

tell();
stayAwake();
document.addEventListener("visibilitychange", () => document.hidden || stayAwake());
setInterval(tell, 5000);
setInterval(turn, Number(main.dataset.every) * 1000);

// Waiting for a match: counts the time, and asks how the seek stands when it has changed, and in the
// background too, since asking is the sign of life.
import { tell } from "./alerts.js";
import { listen } from "./hearing.js";

const EVERY = 1500;
const TOLD_EVERY = 4000;
const panel = document.querySelector("[data-seek]");
const state = panel.querySelector("[data-state]");
const clock = panel.querySelector("[data-clock]");
const title = document.title;
const began = performance.now() - 1000 * Number(panel.dataset.seconds);
let tag = null;
let timer = null;

function count() {
  const seconds = Math.floor((performance.now() - began) / 1000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  clock.textContent = time;
  document.title = `${time} · ${title}`;
}

async function ask() {
  clearTimeout(timer);
  try {
    const headers = tag ? { "If-None-Match": tag } : {};
    const answer = await fetch(panel.dataset.seek, { headers, cache: "no-store" });
    if (answer.ok) {
      tag = answer.headers.get("ETag");
      if (show(await answer.text())) return;
    }
  } catch {
    // The next one may reach the server.
  }
  plan();
}

function plan() {
  clearTimeout(timer);
  timer = setTimeout(ask, isTold() ? TOLD_EVERY : EVERY);
}

/** Replaces what has changed, and nothing that somebody may be about to press; whether it is over. */
function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const goal = fresh.querySelector("a[data-goes]");
  if (goal) {
    tell(goal);
    // Going back from the table leads to where one came from, not to waiting.
    location.replace(goal.href);
    return true;
  }
  for (const piece of fresh.querySelectorAll("[data-piece]")) {
    const shown = state.querySelector(`#${piece.id}`);
    if (shown.dataset.piece === piece.dataset.piece) continue;
    shown.dataset.piece = piece.dataset.piece;
    shown.replaceChildren(...piece.childNodes);
  }
  return false;
}

// Nobody should be seated with somebody who has just closed the page.
addEventListener("pagehide", () => {
  navigator.sendBeacon(panel.dataset.away, new FormData(document.getElementById("act")));
});

const isTold = listen(["me"], ask);
count();
setInterval(count, 1000);
plan();

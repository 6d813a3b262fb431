// Small comforts for every page; all of them read and work without this file.
import { dressButton, tell } from "./alerts.js";
import { keepFresh } from "./live.js";

// A second click on a button that is already being answered does nothing.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "yes";
  event.submitter?.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  for (const button of document.querySelectorAll("button[aria-busy]")) button.removeAttribute("aria-busy");
});

document.querySelector("[data-focus]")?.focus();

// A form that asks for a time zone starts with the reader's own.
for (const field of document.querySelectorAll("input[data-zone]")) {
  field.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

// Countries by the names that they have in the page's language.
for (const field of document.querySelectorAll("select[data-countries]")) {
  const names = new Intl.DisplayNames([document.documentElement.lang], { type: "region" });
  const [none, ...rest] = field.options;
  for (const option of rest) option.text = names.of(option.value) ?? option.text;
  rest.sort((one, other) => one.text.localeCompare(other.text));
  field.append(...rest);
  field.prepend(none);
}

const title = document.title;
const language = document.documentElement.lang;
// As the server writes them, whatever the reader's country: the two stand side by side.
const locale = language === "en" ? "en-GB" : language;
const timeZone = document.documentElement.dataset.zone; // else the browser's own
const figures = { day: "2-digit", month: "2-digit" };
const shape = { en: { month: "short" }, ms: { month: "short" }, vi: figures }[language] ?? { month: "long" };
const day = new Intl.DateTimeFormat(locale, { year: "numeric", day: "numeric", ...shape, timeZone });
const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone });
const comma = ["en", "ms"].includes(language) ? "," : "";
const moment = { format: (at) => `${day.format(at)}${comma} ${clock.format(at)}` };

function dress() {
  const awaited = document.querySelector("[data-waiting]");
  const unread = Number(document.querySelector("[data-unread]")?.dataset.unread ?? 0);
  document.title = (awaited ? "(!) " : unread ? `(${unread}) ` : "") + title;
  tell(awaited);
  document.querySelectorAll("[data-alerts]").forEach(dressButton);
  for (const time of document.querySelectorAll("time[data-local]")) {
    const at = new Date(time.dateTime);
    if (time.dataset.local === "date") time.title = moment.format(at);
    time.textContent = (time.dataset.local === "date" ? day : moment).format(at);
    delete time.dataset.local;
  }
  for (const here of document.querySelectorAll(".tabs [aria-current]")) {
    const [tab, row] = [here, here.parentElement].map((each) => each.getBoundingClientRect());
    if (!here.parentElement.scrollLeft) here.parentElement.scrollBy(tab.x + tab.width / 2 - row.x - row.width / 2, 0);
  }
  for (const button of document.querySelectorAll("[data-copies]")) {
    button.hidden = !navigator.clipboard;
    button.onclick = async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).value);
      document.getElementById(button.dataset.says).textContent = button.dataset.done;
    };
  }
  for (const button of document.querySelectorAll("[data-prints]")) {
    button.hidden = false;
    button.onclick = () => print();
  }
}

// Whoever waits on the page of an invitation is taken to the table when it begins.
function follow() {
  dress();
  const goal = document.querySelector("a[data-goes]");
  if (goal) location.assign(goal.href);
}

dress();
keepFresh([...document.querySelectorAll("[hx-get]")], follow);

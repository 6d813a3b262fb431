// Keeps parts of the page fresh: htmx asks for a part's HTML when the page's socket says that what
// it shows has changed, and now and then, in case that word was lost or there is no socket.
import { listen } from "./hearing.js";

const EVERY = 5000;
const JITTER = 1500;
const SLOWEST = 60000;
const TOLD_EVERY = 60000;
const CALM = 2000;
const FIELDS = "input, select, textarea";
const FOCUSABLE = `a[href], button, summary, [tabindex], ${FIELDS}`;
const SCROLLING = ".bracket, .scroll";

/** Replaces the parts' contents by what their hx-get answers; then calls `changed`. */
export function keepFresh(parts, changed) {
  if (!parts.length) return;
  const script = document.createElement("script");
  script.src = document.body.dataset.htmx;
  script.onload = () => parts.forEach((part) => new Part(part, changed));
  // htmx begins by itself only before the page is read or after it is loaded.
  if (document.readyState === "complete") document.head.append(script);
  else addEventListener("load", () => document.head.append(script));
}

class Part {
  constructor(root, changed) {
    this.root = root;
    this.every = Number(root.dataset.every) * 1000 || EVERY;
    this.failures = 0;
    this.asked = 0;
    const topics = root.dataset.hears?.split(" ") ?? [];
    this.isOwn = topics.includes("me");
    root.addEventListener("htmx:configRequest", ({ detail }) => {
      detail.headers["X-Page-Open"] = "yes";
      if (this.tag) detail.headers["If-None-Match"] = this.tag;
    });
    root.addEventListener("htmx:beforeSwap", ({ detail }) => this.weigh(detail));
    root.addEventListener("htmx:afterSwap", () => {
      returnTo(root, this.place);
      changed();
    });
    root.addEventListener("htmx:afterRequest", ({ detail }) => this.answered(detail.xhr.status));
    document.addEventListener("visibilitychange", () => document.hidden || this.in(0));
    this.isTold = listen(topics, (within) => this.soon(within));
    this.plan();
  }

  /** Asks within so many ms, but not again and again; what is one's own, at once. */
  soon(within) {
    const calm = this.asked + CALM - performance.now();
    this.in(Math.max(calm, this.isOwn ? 0 : Math.random() * within));
  }

  in(ms) {
    const due = performance.now() + ms;
    if (this.timer && this.due <= due) return;
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => this.ask(), ms);
  }

  ask() {
    this.timer = null;
    // What is said in the title, and by a sound, is for those who look elsewhere.
    if ((document.hidden && !this.isOwn) || isInUse(this.root)) return this.in(this.every);
    this.asked = performance.now();
    window.htmx.trigger(this.root, "refresh");
  }

  /** Whether the answer goes in: not if nothing is new, nor another page, nor where somebody types. */
  weigh(detail) {
    const { finalRequestPath, responsePath } = detail.pathInfo;
    detail.shouldSwap = detail.xhr.status === 200 && responsePath === finalRequestPath && !isInUse(this.root);
    if (!detail.shouldSwap) return;
    this.tag = detail.xhr.getResponseHeader("ETag");
    this.place = placeIn(this.root);
  }

  answered(status) {
    this.failures = status === 200 || status === 304 ? 0 : this.failures + 1;
    this.plan();
  }

  plan() {
    const alone = Math.min(this.every * 2 ** Math.min(this.failures, 6), SLOWEST) + Math.random() * JITTER;
    this.in(this.isTold() ? TOLD_EVERY * (1 + Math.random() / 2) : alone);
  }
}

/** Whether replacing the part would pull away what somebody is filling in or has just pressed. */
function isInUse(part) {
  const typing = part.contains(document.activeElement) && document.activeElement.matches(FIELDS);
  const typed = [...part.querySelectorAll("input:not([type=hidden])")].some(
    (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked,
  );
  return typing || typed || part.querySelector("[aria-busy], details[open]") !== null;
}

/** Where the focus is in the part, and how far what scrolls in it has been scrolled. */
function placeIn(part) {
  return {
    focus: [...part.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement),
    scrolled: [...part.querySelectorAll(SCROLLING)].map((box) => box.scrollLeft),
  };
}

function returnTo(part, place) {
  part.querySelectorAll(FOCUSABLE)[place.focus]?.focus({ preventScroll: true });
  for (const [index, box] of part.querySelectorAll(SCROLLING).entries()) {
    box.scrollLeft = place.scrolled[index] ?? 0;
  }
}

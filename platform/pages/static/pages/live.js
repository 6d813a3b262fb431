// Keeps a part of the page fresh: asks for its HTML now and then, while somebody looks.

const EVERY = 5000;
const JITTER = 1500;
const SLOWEST = 60000;
const FIELDS = "input, select, textarea";
const FOCUSABLE = `a[href], button, summary, [tabindex], ${FIELDS}`;
const SCROLLING = ".bracket, .scroll";

/** Replaces the content of `part` by what `part.dataset.refresh` answers; then calls `changed`. */
export function keepFresh(part, changed) {
  let tag = null;
  let failures = 0;
  let timer = null;

  async function refresh() {
    if (document.hidden || isInUse(part)) return plan();
    try {
      const answer = await fetch(part.dataset.refresh, {
        headers: { "X-Page-Open": "yes", ...(tag && { "If-None-Match": tag }) },
        cache: "no-store",
        redirect: "error",
      });
      failures = answer.ok || answer.status === 304 ? 0 : failures + 1;
      if (answer.ok) {
        tag = answer.headers.get("ETag");
        const html = await answer.text();
        if (!isInUse(part)) {
          const place = placeIn(part);
          part.innerHTML = html;
          returnTo(part, place);
          changed();
        }
      }
    } catch {
      failures += 1;
    }
    plan();
  }

  function plan() {
    clearTimeout(timer);
    const wait = (Number(part.dataset.every) * 1000 || EVERY) * 2 ** Math.min(failures, 6);
    timer = setTimeout(refresh, Math.min(wait, SLOWEST) + Math.random() * JITTER);
  }

  document.addEventListener("visibilitychange", () => document.hidden || refresh());
  plan();
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

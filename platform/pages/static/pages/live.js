// Keeps a part of the page fresh: asks for its HTML now and then, while somebody looks.

const EVERY = 5000;
const JITTER = 1500;
const SLOWEST = 60000;

/** Replaces the content of `part` by what `part.dataset.refresh` answers; then calls `changed`. */
export function keepFresh(part, changed) {
  let tag = null;
  let failures = 0;
  let timer = null;

  async function refresh() {
    if (document.hidden || isInUse(part)) return plan();
    try {
      const answer = await fetch(part.dataset.refresh, {
        headers: tag ? { "If-None-Match": tag } : {},
        cache: "no-store",
        redirect: "error",
      });
      failures = answer.ok || answer.status === 304 ? 0 : failures + 1;
      if (answer.ok) {
        tag = answer.headers.get("ETag");
        const html = await answer.text();
        if (!isInUse(part)) {
          part.innerHTML = html;
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

/** Whether replacing the part would pull something away from under a finger or a focus. */
function isInUse(part) {
  return part.contains(document.activeElement) || part.querySelector("[aria-busy], details[open]");
}

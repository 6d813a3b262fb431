// The arbiter's desk: says who sits at the table that is typed, and lets clocks run. All of it
// works without this file.

const form = document.querySelector("[data-quick]");

function rowOf(number) {
  const rows = [...document.querySelectorAll(`.table-row[data-table="${CSS.escape(number)}"]`)];
  return rows.find((row) => row.querySelector(".sides input:not([type=hidden])")) ?? rows[0];
}

function introduce() {
  const row = form.table.value.trim() ? rowOf(form.table.value.trim()) : null;
  const names = row ? [...row.querySelectorAll("[data-name]")].map((name) => name.textContent) : [];
  const who = form.querySelector("[data-who]");
  who.hidden = names.length === 0;
  who.textContent = names.join(" – ");
  for (const label of form.querySelectorAll("[data-side]")) {
    label.dataset.plain ??= label.textContent;
    label.textContent = names[label.dataset.side] ?? label.dataset.plain;
    const field = label.parentElement;
    field.hidden = names.length > 0 && label.dataset.side >= names.length;
  }
}

if (form) {
  form.addEventListener("input", (event) => event.target === form.table && introduce());
  introduce();
  // With a keyboard at hand the next table is typed at once; a phone's would only be in the way.
  if (!matchMedia("(pointer: coarse)").matches && !form.querySelector("[data-focus]")) form.table.focus();
}

function tick() {
  for (const clock of document.querySelectorAll("[data-ends]")) {
    const left = Math.round((new Date(clock.dataset.ends) - Date.now()) / 1000);
    const minutes = Math.floor(Math.abs(left) / 60);
    const seconds = String(Math.abs(left) % 60).padStart(2, "0");
    clock.textContent = `${left < 0 ? "−" : ""}${minutes}:${seconds}`;
    clock.classList.toggle("over", left < 0);
  }
}

tick();
setInterval(tick, 1000);

// Pairing by hand: whoever is chosen changes places with whoever sat there; then it is checked.
const pairing = document.querySelector("[data-pairing]");

async function check() {
  const data = new FormData(pairing);
  data.set("check-only", "1");
  const answer = await fetch(pairing.action || location.href, { method: "POST", body: data, redirect: "error" });
  if (answer.ok) pairing.querySelector("[data-check]").innerHTML = await answer.text();
}

if (pairing) {
  const seats = [...pairing.querySelectorAll("select[name^=seat]")];
  for (const seat of seats) seat.dataset.was = seat.value;
  pairing.addEventListener("change", (event) => {
    const seat = event.target;
    if (!seats.includes(seat)) return;
    const other = seats.find((each) => each !== seat && each.value === seat.value && seat.value);
    if (other) {
      other.value = seat.dataset.was;
      other.dataset.was = other.value;
    }
    seat.dataset.was = seat.value;
    check();
  });
}

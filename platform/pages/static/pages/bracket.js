// Shows an entrant's way through the bracket while the pointer or the focus is on it.

for (const bracket of document.querySelectorAll(".bracket")) {
  const show = (event) => {
    const from = event.target.closest?.("[data-entrant]") ?? event.target.closest?.(".m")?.querySelector(".w[data-entrant]");
    const entrant = from?.dataset.entrant;
    for (const side of bracket.querySelectorAll("[data-entrant]")) {
      side.classList.toggle("path", side.dataset.entrant === entrant);
    }
    bracket.classList.toggle("following", Boolean(entrant));
  };
  for (const kind of ["pointerover", "focusin"]) bracket.addEventListener(kind, show);
  for (const kind of ["pointerleave", "focusout"]) bracket.addEventListener(kind, () => show({ target: bracket }));
}

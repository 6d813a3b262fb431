/** Dialogs, and the panel of moves that is a drawer where there is no room for it. */

export function bindDialogs(part) {
  for (const opener of document.querySelectorAll("[data-opens]")) {
    opener.addEventListener("click", () => part(opener.dataset.opens).showModal());
  }
}

export function bindMoves(part) {
  const [toggle, panel, close, log] = ["moves-toggle", "moves", "moves-close", "log"].map(part);
  const show = (shown) => {
    panel.classList.toggle("open", shown);
    toggle.setAttribute("aria-expanded", String(shown));
    if (shown) log.scrollTop = log.scrollHeight;
    (shown ? close : toggle).focus();
  };
  toggle.addEventListener("click", () => show(!panel.classList.contains("open")));
  close.addEventListener("click", () => show(false));
  panel.addEventListener("keydown", (event) => event.key === "Escape" && panel.classList.contains("open") && show(false));
}

/** Single keys for the table. They can be switched off, and are silent while something is being typed. */

export function listen(keys, isOn) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, select, textarea, dialog[open]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const single = event.key.length === 1;
    if (single && !isOn()) return;
    const run = /^[1-9]$/.test(key) ? keys.digit : keys[key];
    if (!run) return;
    if (run(key) !== false) event.preventDefault();
  });
}

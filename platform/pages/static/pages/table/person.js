/** What can be done about somebody at the table: not hear them, look at their page, report them. */

import { setText } from "./dom.js";

export class Person {
  /** hooks: hears(player), mute(player, on). */
  constructor(dialog, hooks) {
    const find = (name) => dialog.querySelector(`[data-person="${name}"]`);
    Object.assign(this, { dialog, hooks, name: find("name"), box: find("muted"), page: find("page"), report: find("report") });
    this.addresses = { page: this.page.getAttribute("href"), report: this.report.getAttribute("href") };
    this.box.addEventListener("change", () => hooks.mute(this.player, this.box.checked));
  }

  show(view, seat) {
    const { player, name } = view.seats[seat];
    this.player = player;
    setText(this.name, name);
    this.box.checked = !this.hooks.hears(player);
    const of = (address) => address.replace("@0", `@${encodeURIComponent(player)}`);
    this.page.href = of(this.addresses.page);
    this.report.href = `${of(this.addresses.report)}?table=${view.match}`;
    this.dialog.showModal();
  }
}

/** The page of a replay: the player, its list of moves, what could have been played, and passing it on. */

import { element, setText } from "../table/dom.js";
import { ENDS, sideOf } from "../table/layout.js";
import { bindShare } from "../table/share.js";
import { Phrases } from "../table/text.js";
import { tilePicture } from "../table/tile.js";
import { Player } from "./player.js";

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const json = (id) => JSON.parse(document.getElementById(id).textContent);

class Page {
  constructor() {
    this.data = json("replay-data");
    this.phrases = new Phrases(json("replay-strings"));
    this.root = document.getElementById("replay");
    const replay = new Player(this.data, this.phrases, part, { shown: (...all) => this.show(...all) });
    this.player = replay;
    document.addEventListener("click", (event) => this.follow(event));
    addEventListener("hashchange", () => replay.goTo(location.hash));
    addEventListener("keydown", () => (this.speaks = true), { capture: true });
    bindShare(part("share"), part("share-says"), this.phrases);
    const asked = replay.goTo(location.hash);
    if (!asked) replay.go(replay.all.length - 1);
    // The browser has scrolled to the move in the list: the line is to be seen with it.
    if (asked) addEventListener("load", () => requestAnimationFrame(() => this.root.scrollIntoView()));
    this.settled = true;
  }

  /** A link to a position of this page goes there, and stays where the reader is. */
  follow(event) {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    this.player.stop();
    if (this.player.goTo(link.hash)) event.preventDefault();
  }

  show(position, state, felt) {
    const { id, step, round } = position;
    if (this.settled) history.replaceState(null, "", `#${id}`);
    const link = document.getElementById("move-link");
    link.value = `${link.defaultValue}#${id}`;
    this.showList(id, round);
    this.showOptions(step, felt);
    this.showCurve(step, round);
    if (this.settled) setText(part("polite"), this.inWords(step, round));
  }

  inWords(step, round) {
    if (!step) return this.phrases.say("dealt", { n: round.number });
    return document.querySelector(`#m${step.n} .what`).textContent;
  }

  showList(id, round) {
    for (const section of part("lists").children) section.hidden = section.id !== `r${round.number}`;
    for (const tab of document.querySelectorAll(".tabs a")) {
      if (tab.hash === `#r${round.number}`) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    }
    this.current?.removeAttribute("aria-current");
    this.current = document.querySelector(`#${id} > a`);
    this.current?.setAttribute("aria-current", "step");
    this.scroll(this.current?.parentElement);
  }

  /** Brings the current move into the list's own view; the page itself stays where it is. */
  scroll(item) {
    const box = part("lists");
    if (!item) return (box.scrollTop = 0);
    const { top: edge } = box.getBoundingClientRect();
    const { top: at, height } = item.getBoundingClientRect();
    const top = at - edge + box.scrollTop;
    if (top < box.scrollTop + height) box.scrollTop = top - height;
    else if (top + 2 * height > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * height - box.clientHeight;
  }

  /** Each play that there was: the tile, where, what it makes, what it pays. */
  showOptions(step, felt) {
    const panel = part("options");
    if (!panel) return;
    const options = step?.options ?? [];
    part("options-table").hidden = !options.length;
    setText(part("options-words"), this.optionsInWords(step));
    part("options-rows").replaceChildren(...options.map((option) => this.option(option, step, felt)));
  }

  optionsInWords(step) {
    if (!step?.options) return this.phrases.say("no_choice");
    const name = this.data.seats[step.seat].name;
    const key = step.missed ? "chose_missed" : step.best ? "chose_best" : "chose_nothing";
    return this.phrases.say(key, { name, points: step.missed || step.best });
  }

  option({ play, at, total, pays }, step, felt) {
    const chosen = play === step.tile && at === step.end;
    const side = at === null ? null : this.phrases.say(`side_${sideOf(felt.line, ENDS.indexOf(at))}`);
    const tile = play.replace("-", " ");
    const words = side ? this.phrases.say("option", { tile, side }) : this.phrases.say("option_lead", { tile });
    return element(
      "tr",
      { class: [chosen && "chosen", pays && pays === step.best && "best"].filter(Boolean).join(" ") },
      element(
        "th",
        { scope: "row" },
        element("span", { class: "choice" }, tilePicture(play), element("span", { text: words }), chosen && element("span", { class: "chip", text: this.phrases.say("chosen") })),
      ),
      element("td", { class: "n", text: String(total) }),
      element("td", { class: "n", text: pays ? `+${pays}` : "–" }),
    );
  }

  showCurve(step, round) {
    const line = part("curve-now");
    if (!line) return;
    const { steps, width } = line.ownerSVGElement.dataset;
    const n = step?.n ?? (round.steps[0]?.n ?? 1) - 1;
    line.setAttribute("transform", `translate(${(width * n) / (steps || 1)} 0)`);
  }
}

new Page();

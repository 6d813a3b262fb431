/** The end of a round and of a match, shown below the line: hands turned up, rounding, points, what comes next. */

import { clockText } from "./clock.js";
import { bdi, element, setText } from "./dom.js";
import { inTurnFrom, sideName } from "./seats.js";
import { tell } from "./news.js";
import { localPath, tablePath } from "./paths.js";
import { bindShare } from "./share.js";
import { tilePicture } from "./tile.js";

export class Sheet {
  /** hooks: ready(), rematch(). */
  constructor(root, phrases, hooks) {
    this.root = root;
    this.phrases = phrases;
    this.hooks = hooks;
  }

  show(view) {
    const kind = view.phase === "over" ? "match" : view.phase === "between" && view.last_end ? "round" : null;
    this.root.hidden = kind === null;
    if (!kind) {
      this.key = null;
      return;
    }
    const key = JSON.stringify([kind, view.last_end, view.result, view.rematch, view.seats.map(({ name, ready }) => [name, ready])]);
    if (key === this.key) return;
    const appears = !this.key;
    const within = this.focusable().indexOf(document.activeElement);
    const hadFocus = document.activeElement?.closest(".felt, .dock");
    this.key = key;
    this.count = null;
    this.root.dataset.kind = kind;
    this.root.replaceChildren(...(kind === "match" ? this.match(view) : this.round(view)).filter(Boolean));
    if (appears) this.root.scrollTop = 0;
    if (appears && hadFocus) this.root.querySelector("h2").focus();
    else if (within >= 0) this.focusable()[within]?.focus({ preventScroll: true });
  }

  focusable() {
    return [...this.root.querySelectorAll("h2, button, a, summary")];
  }

  say(key, values) {
    return this.phrases.say(key, values);
  }

  heading(text) {
    return element("h2", { tabindex: "-1", text });
  }

  round(view) {
    const ending = view.last_end;
    const nameOf = (seat) => view.seats[seat].name;
    const told = tell({ ...ending, kind: "round_ended" }, { phrases: this.phrases, nameOf, sideName: (side) => sideName(view, side, this.phrases) });
    return [this.heading(told.text), this.hands(view, ending), this.next(view)];
  }

  /** A row for each seat: its tiles turned up, its pips and what they are rounded to, what its side was paid. */
  hands(view, ending) {
    const head = element("tr", { class: "vh" }, ...["player", "tiles_left", "pips", "points", "score"].map((key) => element("th", { scope: "col", text: this.say(`head_${key}`) })));
    const paidSides = new Set();
    const rows = inTurnFrom(view).map((seat) => {
      const { name, side } = view.seats[seat];
      const points = ending.points?.[side] ?? 0;
      const first = !paidSides.has(side);
      paidSides.add(side);
      const tiles = ending.hands?.[seat] ?? [];
      const shown = element("td", { class: "turned" }, ...tiles.map((tile) => tilePicture(tile)), tiles.length ? element("span", { class: "vh", text: tiles.map((tile) => tile.replace("-", " ")).join(", ") }) : element("span", { class: "out", text: this.say("no_tiles") }));
      return element(
        "tr",
        { class: ending.winner === side ? "won" : "" },
        element("th", { scope: "row" }, bdi(name)),
        shown,
        element("td", { class: "pips", dir: "ltr", text: this.pips(view, ending, seat) }),
        element("td", { class: "points", dir: "ltr", text: first && points ? signed(points) : "" }),
        element("td", { class: "tally", dir: "ltr", text: first ? String(ending.scores?.[side] ?? "") : "" }),
      );
    });
    const table = element("table", { class: "hands" }, element("caption", { class: "vh", text: this.say("hands_caption", { n: ending.number }) }), element("thead", {}, head), element("tbody", {}, ...rows));
    return element("div", { class: "hands-box" }, table, this.sum(view, ending));
  }

  /** "13 → 15": pips as they are paid (rules.md 6). */
  pips(view, ending, seat) {
    const left = ending.pips?.[seat] ?? 0;
    const { settle, rounding } = view.rules;
    const settled = ending.reason !== "target" && rounding > 1;
    const paid = settle === "each_deducts" || (settle === "winner_collects" && ending.winner !== null && ending.winner !== view.seats[seat].side);
    return settled && paid && left ? `${left} → ${rounded(left, rounding)}` : String(left);
  }

  /** "7 + 6 = 13 → 15", where the opponents' pips are added before they are rounded. */
  sum(view, ending) {
    const { settle, rounding } = view.rules;
    if (settle !== "winner_collects_total" || ending.winner === null || ending.reason === "target") return null;
    const parts = view.seats.filter(({ side }) => side !== ending.winner).map(({ seat }) => ending.pips[seat]);
    const total = parts.reduce((a, b) => a + b, 0);
    const sum = parts.length > 1 ? `${parts.join(" + ")} = ${total}` : String(total);
    return element("p", { class: "added", dir: "ltr", text: rounding > 1 ? `${sum} → ${rounded(total, rounding)}` : sum });
  }

  next(view) {
    this.count = element("span", { class: "count" });
    const mine = view.me !== null && view.me !== undefined ? view.seats[view.me] : null;
    const button = mine && element("button", { type: "button", class: "primary", text: this.say(mine.ready ? "ready_done" : "ready"), onclick: () => this.hooks.ready() });
    if (button && mine.ready) button.disabled = true;
    return element("div", { class: "next" }, this.count, button);
  }

  match(view) {
    const { result } = view;
    return [
      this.heading(this.verdict(view)),
      result?.reason && result.reason !== "target" && element("p", { class: "why", text: this.reason(result.reason) }),
      result && this.places(view),
      result?.best_play && element("p", { class: "why", text: this.best(view) }),
      ...this.after(view),
      view.last_end && element("details", { class: "last-round", open: innerHeight > 760 }, element("summary", { text: this.say("last_round") }), this.hands(view, view.last_end)),
    ];
  }

  best(view) {
    const { seat, tile, points } = view.result.best_play;
    return this.say("best_play", { name: view.seats[seat].name, tile, points });
  }

  /** Names and scores, the best play, and the address of the replay, to be passed on; `says`: where it is told. */
  share(view, says) {
    if (view.status !== "finished") return null;
    const sides = view.scores.map((score, side) => `${sideName(view, side, this.phrases)} ${score}`);
    const text = [view.title, `${sides.join(" – ")}.`, view.result.best_play && this.best(view)].filter(Boolean).join(" ");
    const button = element("button", { type: "button", text: this.say("share"), "data-text": text, "data-url": location.origin + tablePath(view.match, "/replay") });
    bindShare(button, says, this.phrases);
    return button;
  }

  verdict(view) {
    const winner = view.result?.winner ?? null;
    if (winner === null) return this.say(view.status === "cancelled" ? "match_cancelled" : "match_no_winner");
    const mine = view.me !== null && view.me !== undefined && view.seats[view.me].side === winner;
    if (mine) return this.say(view.partners ? "match_won_both" : "match_won");
    return this.say("event_match_won", { name: sideName(view, winner, this.phrases) });
  }

  reason(code) {
    const key = `reason_${code}`;
    return key in this.phrases.catalogue ? this.say(key) : this.say("reason_other");
  }

  places(view) {
    const { places, ratings = [] } = view.result;
    const changes = new Map((ratings ?? []).map((each) => [each.seat, each]));
    const sides = view.scores.map((_, side) => side).sort((a, b) => places[a] - places[b]);
    const rows = sides.flatMap((side) =>
      view.seats.filter((seat) => seat.side === side).map((seat, i) =>
        element(
          "tr",
          { class: side === view.result.winner ? "won" : "" },
          element("td", { class: "place-number", text: i ? "" : String(places[side]) }),
          element("th", { scope: "row" }, side === view.result.winner && !i ? element("span", { class: "crown", "aria-hidden": "true", text: "★ " }) : null, bdi(seat.name)),
          element("td", { class: "tally", dir: "ltr", text: i ? "" : String(view.scores[side]) }),
          element("td", { class: "change", dir: "ltr" }, ...ratingChange(changes.get(seat.seat))),
        ),
      ),
    );
    const head = element("tr", { class: "vh" }, ...["place", "player", "score", "rating"].map((key) => element("th", { scope: "col", text: this.say(`head_${key}`) })));
    return element("table", { class: "places-table" }, element("caption", { class: "vh", text: this.say("result_caption") }), element("thead", {}, head), element("tbody", {}, ...rows));
  }

  after(view) {
    const seated = view.me !== null && view.me !== undefined;
    const again = view.rematch
      ? element("a", { class: "button primary", href: tablePath(view.rematch), text: this.say(seated ? "rematch_go" : "rematch_watch") })
      : seated && !view.back_url && element("button", { type: "button", class: "primary", text: this.say("rematch"), onclick: (event) => {
          event.currentTarget.disabled = true;
          this.hooks.rematch();
        } });
    const back = element("a", { class: view.back_url ? "button primary" : "button", href: localPath(view.back_url), text: this.say(view.back_url ? "back" : "home") });
    const record = view.status === "finished" && element("a", { class: "button", href: tablePath(view.match, "/record.json"), text: this.say("record") });
    const replay = view.status === "finished" && element("a", { class: "button", href: tablePath(view.match, "/replay"), text: this.say("replay") });
    const says = element("p", { class: "why", role: "status" });
    return [element("div", { class: "next" }, again, back, replay, this.share(view, says), record), says];
  }

  /** Paints the time to the next deal. */
  tick(view, now) {
    if (!this.count) return;
    setText(this.count, view.deadline ? this.say("next_deal", { time: clockText(Math.max(0, view.deadline - now)) }) : this.say("next_deal_soon"));
  }
}

function rounded(pips, multiple) {
  return Math.floor(pips / multiple + 0.5) * multiple;
}

function signed(points) {
  return points > 0 ? `+${points}` : `−${-points}`;
}

function ratingChange(change) {
  if (!change || change.before === null || change.after === null || change.after === undefined) return [];
  const difference = Math.round(change.after) - Math.round(change.before);
  return [
    element("span", { class: "before", text: `${Math.round(change.before)} → ` }),
    element("span", { text: `${Math.round(change.after)} ` }),
    element("b", { class: difference < 0 ? "fell" : "rose", text: `(${difference > 0 ? "+" : difference < 0 ? "−" : "±"}${Math.abs(difference)})` }),
  ];
}

/** A table inside another site's page: played again when it is over, else live as spectators see it. */

import { element, setText } from "../table/dom.js";
import { Phrases } from "../table/text.js";
import { paints } from "../table/tile.js";
import { Card } from "../watch/card.js";
import { WatchSocket } from "../watch/socket.js";
import { Player } from "./player.js";

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const json = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

const phrases = new Phrases(json("replay-strings"));
const data = json("replay-data");
const { match } = document.body.dataset;

if (data) {
  part("player").hidden = false;
  const player = new Player(data, phrases, part);
  if (!player.goTo(location.hash)) player.go(player.all.length - 1);
} else {
  document.body.append(element("div", { class: "felt-page" }, paints()));
  const card = new Card(document.body, phrases);
  new WatchSocket({ show: (glance) => show(glance) }).watch([match]);

  function show(glance) {
    card.show(glance);
    setText(part("line-words"), card.felt.describe());
    // The whole match is there to be played again.
    if (glance.status === "finished") setTimeout(() => location.reload(), 10_000);
  }
}

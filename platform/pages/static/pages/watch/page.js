/** Tables to watch: each card on the page is a small live picture. New tables come in, ended ones stay to be read. */

import { listen } from "../hearing.js";
import { element } from "../table/dom.js";
import { Phrases } from "../table/text.js";
import { paints } from "../table/tile.js";
import { Card } from "./card.js";
import { WatchSocket } from "./socket.js";

const LOOK_EVERY = 20_000;
const TOLD_EVERY = 60_000;
const MOST = 12; // as many as one socket is shown

const phrases = new Phrases(JSON.parse(document.getElementById("watch-strings").textContent));
const cards = new Map();
const ended = new Set();
const socket = new WatchSocket({ show, gone: (match) => ended.add(match) });

function show(glance) {
  cards.get(glance.match)?.show(glance);
  if (glance.status !== "running" && glance.status !== "open") ended.add(glance.match);
}

function take() {
  for (const root of document.querySelectorAll("[data-match]")) {
    const { match } = root.dataset;
    if (!cards.has(match) && cards.size - ended.size < MOST) cards.set(match, new Card(root, phrases));
  }
  socket.watch([...cards.keys()].filter((match) => !ended.has(match)).slice(0, MOST));
}

/** Puts cards of tables that are new on the page into their lists; what is there stays as it is. */
async function look() {
  const page = document.querySelector("[data-watch]");
  if (document.hidden || !page) return;
  const answer = await fetch(page.dataset.watch, { cache: "no-store", redirect: "error" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const lists = [...fresh.querySelectorAll("[data-list]")];
  const missing = lists.some(({ dataset }) => !page.querySelector(`[data-list="${dataset.list}"]`));
  if (missing) {
    page.replaceChildren(...fresh.body.childNodes);
    cards.clear();
    ended.clear();
  } else {
    for (const list of lists) add(page.querySelector(`[data-list="${list.dataset.list}"]`), [...list.children]);
    for (const part of fresh.querySelectorAll("[data-swap]")) swap(page.querySelector(`[data-swap="${part.dataset.swap}"]`), part);
  }
  take();
}

/** New cards; ended ones make place for them. */
function add(list, fresh) {
  const news = fresh.filter(({ dataset }) => !list.querySelector(`[data-match="${dataset.match}"]`));
  const over = [...list.children].filter(({ dataset }) => ended.has(dataset.match));
  for (const card of over.slice(0, Math.max(0, list.childElementCount + news.length - MOST))) {
    cards.delete(card.dataset.match);
    ended.delete(card.dataset.match);
    card.remove();
  }
  list.append(...news);
}

function swap(known, fresh) {
  if (known && known.innerHTML !== fresh.innerHTML && !known.contains(document.activeElement)) known.replaceChildren(...fresh.childNodes);
}

document.body.append(element("div", { class: "felt-page" }, paints()));
take();
let timer;
const isTold = listen(["lobby"], (within) => plan(Math.random() * within));

function plan(ms) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    look().catch(() => {});
    plan(isTold() ? TOLD_EVERY : LOOK_EVERY);
  }, ms);
}
plan(LOOK_EVERY);

/** A domino in SVG. One unit is the side of a pip square: a tile is 2 × 1. */

import { shape } from "./dom.js";

const SPREAD = 0.25;
const PIPS = [
  [],
  [[0, 0]],
  [[-1, -1], [1, 1]],
  [[-1, -1], [0, 0], [1, 1]],
  [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
];

/** The tile with its two halves' pips at the points a and b (units, next to each other along x or y). */
export function tileShape(pipsA, a, pipsB, b, kind = "") {
  const lying = a[1] === b[1];
  const x = (a[0] + b[0]) / 2;
  const y = (a[1] + b[1]) / 2;
  const [width, height] = lying ? [1.93, 0.93] : [0.93, 1.93];
  const body = (dx, dy, attributes) =>
    shape("rect", { x: x - width / 2 + dx, y: y - height / 2 + dy, width, height, rx: 0.14, ...attributes });
  const bar = lying ? { x1: x, x2: x, y1: y - 0.31, y2: y + 0.31 } : { x1: x - 0.31, x2: x + 0.31, y1: y, y2: y };
  const group = shape(
    "g",
    { class: `tile ${kind}` },
    body(0.035, 0.075, { class: "shade" }),
    body(0, 0.03, { class: "edge" }),
    body(0, 0, { class: "face", fill: "url(#ivory)" }),
    shape("line", { class: "bar", ...bar }),
  );
  for (const [count, [cx, cy]] of [[pipsA, a], [pipsB, b]]) {
    for (const [across, along] of PIPS[count]) {
      const [dx, dy] = lying ? [along, across] : [across, along];
      group.append(shape("circle", { class: `pip of-${count}`, cx: cx + dx * SPREAD, cy: cy + dy * SPREAD, r: 0.096, fill: "url(#pip)" }));
    }
  }
  if (kind.includes("spinner")) group.append(shape("circle", { class: "pin", cx: x, cy: y, r: 0.1, fill: "url(#brass)" }));
  return group;
}

/** A tile of a hand: upright, the higher half above; or its back. */
export function tilePicture(tile, kind = "") {
  const picture = shape("svg", { viewBox: "-0.55 -1.05 1.1 2.16", "aria-hidden": "true", focusable: "false" });
  const [high, low] = tile.split("-").map(Number);
  picture.append(tileShape(high, [0, -0.5], low, [0, 0.5], kind));
  return picture;
}

/** The paints that all tiles share, once in the page. */
export function paints() {
  const stop = (offset, colour) => shape("stop", { offset, class: colour });
  return shape(
    "svg",
    { class: "paints", width: 0, height: 0, "aria-hidden": "true", focusable: "false" },
    shape(
      "defs",
      {},
      shape("linearGradient", { id: "ivory", x1: 0, y1: 0, x2: 0.35, y2: 1 }, stop(0, "ivory-light"), stop(0.55, "ivory-mid"), stop(1, "ivory-dark")),
      shape("radialGradient", { id: "pip", cx: 0.5, cy: 0.62, r: 0.6 }, stop(0, "pip-light"), stop(1, "pip-dark")),
      shape("radialGradient", { id: "brass", cx: 0.38, cy: 0.32, r: 0.75 }, stop(0, "brass-light"), stop(1, "brass-dark")),
    ),
  );
}

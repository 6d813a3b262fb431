/**
 * Where each tile of a round lies on the felt.
 *
 * A pure function of the box's shape and the moves [end, isDouble]: the same round gives the same picture after a
 * reload, and a tile never moves once it lies. The unit is half a pip square, so a tile is 4 long and 2 wide; a
 * rectangle is [left, top, right, bottom].
 *
 * Two promises hold for any order of play: tiles never overlap, and an open end always has room for its next tile.
 * They rest on one invariant, checked before a tile is laid: every open end owns an escape, a region reaching to
 * infinity in which any further run of tiles can be laid, and no escape meets a tile or another end's escape.
 * Laying a tile inside its own end's escape keeps the invariant, so there is always at least one place.
 */

export const ENDS = ["left", "right", "up", "down"];

const EAST = 0;
const DX = [1, 0, -1, 0];
const DY = [0, 1, 0, -1];
const FAR = 4000;

const COMFORT = 10; // the line may spread this far (half the side of its box) before size costs anything
const AHEAD = 6; // imaginary tiles laid by the look-ahead
const COST = { size: 40, turn: 1.5, turnBehindDouble: 0.8, turnAtSpinner: 3, stair: 0.8, touch: 0.35, near: 0.12, free: 0.05 };

const clockwise = (heading) => (heading + 1) & 3;
const counterclockwise = (heading) => (heading + 3) & 3;
const overlaps = (p, q) => p[0] < q[2] && q[0] < p[2] && p[1] < q[3] && q[1] < p[3];
const overlapsAny = (rect, rects) => rects.some((other) => overlaps(rect, other));
const around = (rect, margin) => [rect[0] - margin, rect[1] - margin, rect[2] + margin, rect[3] + margin];

export function union(p, q) {
  return [Math.min(p[0], q[0]), Math.min(p[1], q[1]), Math.max(p[2], q[2]), Math.max(p[3], q[3])];
}

/** The rectangle that reaches from `near` to `far` ahead of an end, and from `a` to `b` to its right. */
function ahead(end, near, far, a, b) {
  const side = clockwise(end.heading);
  const x1 = end.x + near * DX[end.heading] + a * DX[side];
  const y1 = end.y + near * DY[end.heading] + a * DY[side];
  const x2 = end.x + far * DX[end.heading] + b * DX[side];
  const y2 = end.y + far * DY[end.heading] + b * DY[side];
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

const openEnd = (x, y, heading, behindDouble, more = {}) => ({ x, y, heading, behindDouble, length: 0, turned: 0, last: -1, ...more });

/** The place for a tile at an end; turn: 0 straight, 1 clockwise, -1 counterclockwise. A double lies across, straight. */
function spot(end, isDouble, turn) {
  const { x, y, heading } = end;
  if (isDouble) {
    const next = openEnd(x + 2 * DX[heading], y + 2 * DY[heading], heading, true);
    return { rect: ahead(end, 0, 2, -2, 2), turn, end: next };
  }
  if (!turn) {
    const next = openEnd(x + 4 * DX[heading], y + 4 * DY[heading], heading, false);
    return { rect: ahead(end, 0, 4, -1, 1), turn, end: next };
  }
  const turned = turn > 0 ? clockwise(heading) : counterclockwise(heading);
  const next = openEnd(x + DX[heading] + 3 * DX[turned], y + DY[heading] + 3 * DY[turned], turned, false);
  return { rect: turn > 0 ? ahead(end, 0, 2, -1, 3) : ahead(end, 0, 2, -3, 1), turn, end: next };
}

/** The two ends at the short sides of a double that lies across `heading` with its centre at (x, y): up and down. */
function arms(x, y, heading, isLeft) {
  const up = isLeft ? clockwise(heading) : counterclockwise(heading);
  return [up, (up + 2) & 3].map((to) => openEnd(x + 2 * DX[to], y + 2 * DY[to], to, true));
}

/** A turn `at` steps ahead: the corner tile, and the strip that goes on from it. */
const corner = (end, at, right) =>
  right
    ? [ahead(end, at, at + 2, -1, 3), ahead(end, at - 1, at + 3, 3, FAR)]
    : [ahead(end, at, at + 2, -3, 1), ahead(end, at - 1, at + 3, -FAR, -3)];

/**
 * The escapes of an end. Strips are 4 wide, for doubles lying across. A double never makes the corner, and never
 * follows a double (each double is in the set once): an escape that turns with the next tile has room for a double
 * before the corner, unless a double lies there already.
 */
const ESCAPES = [
  (end) => [ahead(end, 0, FAR, -2, 2)],
  (end) => turning(end, 0, true),
  (end) => turning(end, 0, false),
  (end) => end.behindDouble && [ahead(end, 0, 4, -1, 1), ...turning({ ...end, behindDouble: false }, 4, true)],
  (end) => end.behindDouble && [ahead(end, 0, 4, -1, 1), ...turning({ ...end, behindDouble: false }, 4, false)],
];

function turning(end, at, right) {
  if (end.behindDouble) return corner(end, at, right);
  return [...corner(end, at, right), ahead(end, at, at + 2, -2, 2), ...corner(end, at + 2, right)];
}

/** While the spinner is still to come, any end may become it: a strip for it and for two arms beside the line. */
const SPINNER_ESCAPES = [(end) => [ahead(end, 0, FAR, -11, 11), ahead(end, -1, 0, 6, 8), ahead(end, -1, 0, -8, -6)]];

/** Has every end an escape that meets no tile and no other end's escape? */
function allEscape(ends, rects, options) {
  const taken = [];
  const free = ends.map(() => []);
  const escape = (i, k) => {
    if (free[i][k] === undefined) {
      const region = options[k](ends[i]);
      free[i][k] = region && !region.some((rect) => overlapsAny(rect, rects)) ? region : null;
    }
    return free[i][k];
  };
  const assign = (i) => {
    if (i === ends.length) return true;
    for (let k = 0; k < options.length; k++) {
      const region = escape(i, k);
      if (!region || region.some((rect) => overlapsAny(rect, taken))) continue;
      taken.push(...region);
      if (assign(i + 1)) return true;
      taken.length -= region.length;
    }
    return false;
  };
  return assign(0);
}

export class Line {
  /** shape: {width, height} of the box, in any unit; spinner: whether the first double opens two arms. */
  constructor(shape, spinner = true) {
    const aspect = shape.width / shape.height;
    this.spinner = spinner;
    this.spread = [Math.sqrt(aspect), 1 / Math.sqrt(aspect)];
    this.vertical = aspect < 1; // the main line runs along the longer side
    this.tiles = [];
    this.rects = [];
    this.ends = []; // by index in ENDS
    this.spinnerAt = -1;
    this.bounds = [0, 0, 0, 0];
  }

  fork() {
    const copy = Object.assign(Object.create(Line.prototype), this);
    copy.rects = this.rects.slice();
    copy.ends = this.ends.slice();
    copy.tiles = null; // the look-ahead needs none
    return copy;
  }

  lead(isDouble) {
    const right = this.vertical ? clockwise(EAST) : EAST;
    const left = (right + 2) & 3;
    const reach = isDouble ? 1 : 2;
    const start = openEnd(-reach * DX[right], -reach * DY[right], right, false);
    const rect = isDouble ? ahead(start, 0, 2, -2, 2) : ahead(start, 0, 4, -1, 1);
    this.ends = [left, right].map((heading) => openEnd(reach * DX[heading], reach * DY[heading], heading, isDouble, { last: 0 }));
    if (isDouble && this.spinner) {
      this.ends.push(...arms(0, 0, right, false).map((end) => ({ ...end, last: 0 })));
      this.spinnerAt = 0;
    }
    this.rects.push(rect);
    this.bounds = rect;
    this.tiles.push({ rect, heading: right, isDouble, arm: null, from: [0, 0] });
  }

  /** Lays the next tile at an end (index in ENDS). */
  add(arm, isDouble) {
    const { x, y } = this.ends[arm];
    const chosen = this.place(arm, isDouble);
    this.commit(arm, isDouble, chosen);
    this.tiles.push({ rect: chosen.rect, heading: chosen.end.heading, isDouble, arm, from: [x, y] });
  }

  /** Where the next tile at an end will lie. Nobody can lay a double behind a double: null. */
  place(arm, isDouble) {
    if (isDouble && this.ends[arm].behindDouble && this.tiles) return null;
    const places = this.candidates(arm, isDouble).filter((each) => this.isSafe(arm, isDouble, each));
    if (places.length === 1) return places[0];
    let best = null;
    let least = Infinity;
    for (const each of places) {
      const future = this.fork();
      future.commit(arm, isDouble, each);
      const cost = this.cost(arm, each) + COST.size * future.crowding(arm);
      if (cost < least - 1e-9) [best, least] = [each, cost];
    }
    return best;
  }

  candidates(arm, isDouble) {
    const turns = isDouble ? [0] : [0, 1, -1];
    return turns.map((turn) => spot(this.ends[arm], isDouble, turn)).filter(({ rect }) => !overlapsAny(rect, this.rects));
  }

  isSafe(arm, isDouble, place) {
    const makesSpinner = this.awaitsSpinner && isDouble;
    // the end that changes is the likeliest to fail: it is assigned first
    const ends = [place.end, ...this.ends.filter((_, i) => i !== arm)];
    if (makesSpinner) ends.push(...this.armsAt(arm));
    const options = this.awaitsSpinner && !isDouble ? SPINNER_ESCAPES : ESCAPES;
    this.rects.push(place.rect);
    const safe = allEscape(ends, this.rects, options);
    this.rects.pop();
    return safe;
  }

  get awaitsSpinner() {
    return this.spinner && this.spinnerAt < 0;
  }

  armsAt(arm) {
    const { x, y, heading } = this.ends[arm];
    return arms(x + DX[heading], y + DY[heading], heading, arm === 0);
  }

  commit(arm, isDouble, place) {
    const end = this.ends[arm];
    const index = this.rects.length;
    if (this.awaitsSpinner && isDouble) {
      this.ends.push(...this.armsAt(arm).map((each) => ({ ...each, last: index })));
      this.spinnerAt = index;
    }
    this.ends[arm] = { ...place.end, length: end.length + 1, turned: place.turn, last: index };
    this.rects.push(place.rect);
    this.bounds = union(this.bounds, place.rect);
  }

  /** Half the side of the box, in this shape, that holds the bounds: the larger, the smaller the tiles are drawn. */
  size(bounds) {
    return Math.max((bounds[2] - bounds[0] + 2) / this.spread[0], (bounds[3] - bounds[1] + 2) / this.spread[1]) / 2;
  }

  cost(arm, { rect, turn, end: next }) {
    const end = this.ends[arm];
    const allowed = Math.max(this.size(this.bounds), COMFORT);
    let cost = (COST.size * Math.max(0, this.size(union(this.bounds, rect)) - allowed)) / COMFORT;
    if (turn) {
      cost += COST.turn;
      if (end.behindDouble) cost += end.length ? COST.turnBehindDouble : COST.turnAtSpinner;
      if (end.turned && end.turned !== turn) cost += COST.stair;
    }
    const touching = around(rect, 0.5);
    const close = around(rect, 1);
    this.rects.forEach((other, i) => {
      if (i === end.last || !overlaps(close, other)) return;
      cost += overlaps(touching, other) ? COST.touch : COST.near;
    });
    return cost - COST.free * this.freeRun(next, allowed);
  }

  /** How far the end could go straight on without meeting a tile or making the picture smaller. */
  freeRun(end, allowed) {
    let free = 0;
    for (let reach = 4; reach <= 16; reach += 4) {
      const strip = ahead(end, 0, reach, -2, 2);
      if (overlapsAny(strip, this.rects) || this.size(union(this.bounds, strip)) > allowed) break;
      free = reach;
    }
    return free;
  }

  /** Lays imaginary tiles, every second one at this end, every fourth a double: how far they, and the places they
   * leave open, outgrow the comfort. */
  crowding(arm) {
    const order = [arm, ...this.ends.keys()].filter((each, i) => i === 0 || each !== arm);
    let sum = 0;
    for (let i = 0; i < AHEAD; i++) {
      const at = i % 2 ? order[(i >> 1) % order.length] : arm;
      const isDouble = i % 4 === 3 && !this.ends[at].behindDouble;
      this.commit(at, isDouble, this.cheapest(at, isDouble));
      sum += Math.max(0, this.size(this.ends.reduce((bounds, end) => union(bounds, ahead(end, 0, 4, -1, 1)), this.bounds)) - COMFORT);
    }
    return sum / AHEAD / COMFORT;
  }

  cheapest(arm, isDouble) {
    const places = this.candidates(arm, isDouble);
    if (places.length > 1) {
      for (const each of places) each.cost = this.cost(arm, each);
      places.sort((p, q) => p.cost - q.cost);
    }
    return places.find((each) => this.isSafe(arm, isDouble, each));
  }
}

/** The line after the moves [[end name or null for the lead, isDouble], …]. */
export function layLine(shape, moves, spinner = true) {
  const line = new Line(shape, spinner);
  for (const [end, isDouble] of moves) {
    if (line.tiles.length) line.add(ENDS.indexOf(end), isDouble);
    else line.lead(isDouble);
  }
  return line;
}

/** Centres of a tile's two halves: the inner one, at its end of the line, and the outer one. For a double, along it. */
export function halves({ rect, heading, isDouble }) {
  const x = (rect[0] + rect[2]) / 2;
  const y = (rect[1] + rect[3]) / 2;
  const along = isDouble ? clockwise(heading) : heading;
  return [
    [x - DX[along], y - DY[along]],
    [x + DX[along], y + DY[along]],
  ];
}

/** How people are told of an arm (index in ENDS): by the side it sets out to, wherever it has turned since. */
export function sideOf(line, arm) {
  return (line.vertical ? ["top", "bottom", "right", "left"] : ["left", "right", "top", "bottom"])[arm];
}

/** Everything that must be in view: the tiles, and each end's next tile, plain or double. */
export function reach(line) {
  let bounds = line.bounds;
  line.ends.forEach((end, arm) => {
    for (const isDouble of end.behindDouble ? [false] : [false, true]) {
      bounds = union(bounds, line.place(arm, isDouble).rect);
    }
  });
  return bounds;
}

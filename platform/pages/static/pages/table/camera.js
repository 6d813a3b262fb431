/** What part of the line is seen: stays put while everything fits, else pans, and zooms only when it must. */

const SPARE = 0.9; // zooming out goes a little further than needed, so that the next tiles change nothing

const MARGIN = 0.2; // pip squares around the line
const EDGE = 14; // pixels more, for the badge of an end

/**
 * frame: {width, height, top, largest} in pixels (top: kept free for the labels). In half pip squares: what must be
 * in view, and the tiles alone, which are put in the middle as far as the rest allows.
 */
export function aim(camera, bounds, frame, tiles = bounds) {
  const wide = (bounds[2] - bounds[0]) / 2 + 2 * MARGIN;
  const high = (bounds[3] - bounds[1]) / 2 + 2 * MARGIN;
  const room = frame.height - frame.top;
  const fitting = Math.min((frame.width - 2 * EDGE) / wide, (room - 2 * EDGE) / high);
  const stays = camera && fitting >= camera.scale && fitting <= camera.scale * 1.9;
  const scale = stays ? camera.scale : Math.min(frame.largest, camera ? fitting * SPARE : fitting * 0.97);
  const from = stays ? camera : {
    x: frame.width / 2 - ((tiles[0] + tiles[2]) / 4) * scale,
    y: frame.top + room / 2 - ((tiles[1] + tiles[3]) / 4) * scale,
  };
  const x = shift(from.x, (bounds[0] / 2 - MARGIN) * scale, (bounds[2] / 2 + MARGIN) * scale, EDGE, frame.width - EDGE);
  const y = shift(from.y, (bounds[1] / 2 - MARGIN) * scale, (bounds[3] / 2 + MARGIN) * scale, frame.top + EDGE, frame.height - EDGE);
  return stays && x === camera.x && y === camera.y ? camera : { scale, x, y };
}

function shift(offset, low, high, from, to) {
  if (offset + low < from) return from - low;
  if (offset + high > to) return to - high;
  return offset;
}

/** A rectangle of the line in pixels: [x, y, width, height]. */
export function project({ scale, x, y }, rect) {
  return [x + (rect[0] / 2) * scale, y + (rect[1] / 2) * scale, ((rect[2] - rect[0]) / 2) * scale, ((rect[3] - rect[1]) / 2) * scale];
}

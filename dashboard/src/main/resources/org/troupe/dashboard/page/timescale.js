// The scale of a timeline, which leaves out long gaps if the reader wants that.

const BREAK = 64; // pixels of a collapsed gap: as many as its duration needs
const SHORTEST_MILLIS = 1; // of all that is not collapsed

/*
 * Design: breaks.
 *
 * Outside of breaks time passes evenly. The longest gaps are collapsed first, since each of them gives its space to the rest, until the next one would
 * take less than two breaks, or all breaks more than half of the width. So a break always saves space, and spans always have some.
 */
export class TimeScale {
  /** Makes the scale of an interval, in milliseconds, on an interval of pixels. */
  constructor(from, to, left, right, gaps = []) {
    let millis = to - from, space = right - left;
    const breaks = [];
    for (const gap of [...gaps].sort((a, b) => lengthOf(b) - lengthOf(a))) {
      const rest = millis - lengthOf(gap);
      if (lengthOf(gap) / millis * space < 2 * BREAK || rest < SHORTEST_MILLIS || (breaks.length + 1) * BREAK > (right - left) / 2) break;
      breaks.push(gap);
      millis = rest;
      space -= BREAK;
    }
    this.millisPerPixel = millis / space;
    this.pieces = []; // {from, to, left, right, isBreak}, from left to right
    let at = from, x = left;
    const add = (end, isBreak) => {
      const width = isBreak ? BREAK : (end - at) / this.millisPerPixel;
      if (end > at) this.pieces.push({ from: at, to: end, left: x, right: x + width, isBreak });
      at = end;
      x += width;
    };
    for (const gap of breaks.sort((a, b) => a.from - b.from)) {
      add(gap.from, false);
      add(gap.to, true);
    }
    if (at < to) add(to, false);
  }

  get breaks() { return this.pieces.filter(piece => piece.isBreak); }

  x(time) {
    const { from, to, left, right } = this.#piece(piece => time <= piece.to);
    return left + (time - from) / (to - from) * (right - left);
  }

  timeAt(x) {
    const { from, to, left, right } = this.#piece(piece => x <= piece.right);
    return from + (x - left) / (right - left) * (to - from);
  }

  #piece(reaches) { return this.pieces.find(reaches) ?? this.pieces.at(-1); }
}

/** Returns the parts of an interval in which there is none of the spans. */
export function gapsOf(spans, from, to) {
  const gaps = [];
  let end = from;
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    if (span.from > end) gaps.push({ from: end, to: Math.min(span.from, to) });
    end = Math.max(end, span.to);
  }
  if (end < to) gaps.push({ from: end, to });
  return gaps;
}

const lengthOf = ({ from, to }) => to - from;

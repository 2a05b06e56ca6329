// Counters that only grow, their rates, and short histories of values.

/** A few counters of one thing, and how much each grows per second. */
export class Counters {
  constructor(size) {
    this.now = new Float64Array(size);
    this.before = new Float64Array(size);
    this.per = new Float64Array(size).fill(NaN);
    this.rounds = 0;
  }

  /** Ends a round; returns whether the next one is to be settled, too: after growth, and after the first. */
  settle(seconds) {
    let moved = false;
    for (let i = 0; i < this.now.length; i++) {
      const grown = this.now[i] - this.before[i];
      this.per[i] = this.rounds > 0 && seconds > 0 ? Math.max(0, grown) / seconds : NaN;
      moved ||= grown !== 0;
      this.before[i] = this.now[i];
    }
    this.rounds++;
    return moved || this.rounds === 1;
  }

  /** Adds what was counted before anyone looked: it is no growth of this round. */
  addPast(index, value) {
    this.now[index] += value;
    this.before[index] += value;
  }
}

const STEP_MILLIS = 4000;
const STEPS = 450; // half an hour

/** The past of a few quantities: the last points, and before them averages, since a chart has fewer pixels than half an hour has seconds. */
export class History {
  constructor(names, recent) {
    this.names = names;
    this.recent = new Ring(names.length, recent);
    this.older = new Ring(names.length, STEPS);
    this.leaving = []; // points that have left `recent`, until their average is in `older`
  }

  add(timeMillis, values) {
    if (this.recent.isFull) this.leaving = this.#averaged([...this.leaving, this.recent.point(0)], this.older);
    this.recent.add(timeMillis, values);
  }

  // Adds the average of each step that is over; returns the points of the last one.
  #averaged(points, older) {
    let step = [];
    for (const point of points) {
      const millis = step.length ? point[0] - step[0][0] : 0; // negative after a clock was set back
      if (millis < 0 || millis >= STEP_MILLIS) {
        older.add(...average(step));
        step = [];
      }
      step.push(point);
    }
    return step;
  }

  /** Puts points before those that are there: each a time and values. Later points are left out. */
  addPast(points) {
    const [first] = this.#points()[0] ?? [Infinity], older = new Ring(this.names.length, STEPS);
    const before = points.filter(([time]) => time < first), last = this.recent.size ? [] : before.splice(-this.recent.capacity);
    const step = this.#averaged(before, older);
    if (step.length) older.add(...average(step));
    for (const point of this.older.points()) older.add(...point);
    this.older = older;
    for (const point of last) this.recent.add(...point);
  }

  /** Returns the values of a quantity, the oldest first; NaN where it was not known. */
  column(name) {
    const i = this.names.indexOf(name);
    return this.#points().map(([, values]) => values[i]);
  }

  /** Returns the times in seconds since 1970, the oldest first. */
  seconds() {
    return this.#points().map(([millis]) => millis / 1000);
  }

  /** Returns the last value of a quantity; NaN if it is not known, or out of date at a time: by two intervals, and by a step. */
  last(name, now = -Infinity) {
    const { recent } = this, { size } = recent;
    if (size === 0) return NaN;
    const [time, values] = recent.point(size - 1), interval = size > 1 ? time - recent.point(size - 2)[0] : 0;
    return now - time > Math.max(STEP_MILLIS, 2 * interval) ? NaN : values[this.names.indexOf(name)];
  }

  #points() {
    return [...this.older.points(), ...this.leaving.length ? [average(this.leaving)] : [], ...this.recent.points()];
  }
}

// The time of the last point, and the mean of each quantity over those points that know it.
function average(points) {
  const mean = known => known.reduce((sum, value) => sum + value, 0) / known.length; // NaN if there is none
  return [points.at(-1)[0], points[0][1].map((_, i) => mean(points.map(([, values]) => values[i] ?? NaN).filter(Number.isFinite)))];
}

/** The last points of a few columns, in arrays that grow up to a capacity. */
class Ring {
  constructor(columns, capacity) {
    this.columns = columns;
    this.capacity = capacity;
    this.size = 0;
    this.next = 0;
    this.#allocate(Math.min(32, capacity));
  }

  get isFull() { return this.size === this.capacity; }

  #allocate(length) {
    this.times = new Float64Array(length);
    this.values = Array.from({ length: this.columns }, () => new Float32Array(length));
  }

  add(timeMillis, values) {
    if (this.size === this.times.length && !this.isFull) this.#grow();
    this.times[this.next] = timeMillis;
    values.forEach((value, i) => this.values[i][this.next] = value ?? NaN);
    this.next = (this.next + 1) % this.times.length;
    this.size = Math.min(this.size + 1, this.times.length);
  }

  points() {
    return Array.from({ length: this.size }, (_, i) => this.point(i));
  }

  point(i) {
    const at = (this.next + this.times.length - this.size + i) % this.times.length;
    return [this.times[at], this.values.map(values => values[at])];
  }

  #grow() {
    const points = this.points();
    this.#allocate(Math.min(this.capacity, 2 * this.times.length));
    this.size = this.next = 0;
    for (const [time, values] of points) this.add(time, values);
  }
}

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

/** The last values of a few quantities, in a ring that grows up to its capacity. */
export class History {
  constructor(names, capacity) {
    this.names = names;
    this.capacity = capacity;
    this.size = 0;
    this.next = 0;
    this.#allocate(Math.min(32, capacity));
  }

  #allocate(length) {
    this.times = new Float64Array(length);
    this.values = this.names.map(() => new Float32Array(length));
  }

  add(timeMillis, values) {
    if (this.size === this.times.length && this.size < this.capacity) this.#grow();
    this.times[this.next] = timeMillis;
    values.forEach((value, i) => this.values[i][this.next] = value ?? NaN);
    this.next = (this.next + 1) % this.times.length;
    this.size = Math.min(this.size + 1, this.times.length);
  }

  /** Puts points before those that are there: each a time and values. Later points are left out. */
  addPast(points) {
    const own = this.#points();
    const first = own.length ? own[0][0] : Infinity;
    this.size = this.next = 0;
    for (const [time, values] of [...points.filter(point => point[0] < first), ...own]) this.add(time, values);
  }

  /** Returns the values of a quantity, the oldest first; NaN where it was not known. */
  column(name) {
    return this.#ordered(this.values[this.names.indexOf(name)]);
  }

  /** Returns the times in seconds since 1970, the oldest first. */
  seconds() {
    return this.#ordered(this.times).map(millis => millis / 1000);
  }

  last(name) {
    return this.size === 0 ? NaN : this.values[this.names.indexOf(name)][(this.next + this.times.length - 1) % this.times.length];
  }

  #grow() {
    const points = this.#points();
    this.#allocate(Math.min(this.capacity, 2 * this.times.length));
    this.size = this.next = 0;
    for (const [time, values] of points) this.add(time, values);
  }

  #points() {
    const times = this.#ordered(this.times), columns = this.values.map(values => this.#ordered(values));
    return times.map((time, i) => [time, columns.map(column => column[i])]);
  }

  #ordered(ring) {
    const first = (this.next + ring.length - this.size) % ring.length;
    return Array.from({ length: this.size }, (_, i) => ring[(first + i) % ring.length]);
  }
}

// The grid as the map shows it: now, and after each round of the last minutes.

const LONGEST_MILLIS = 600_000;
const MOST_ROWS = 200_000; // 16 MB, measured with 200 nodes of ten classes and 400 pairs

/*
 * Design: the past of a live page.
 *
 * A model knows its last round only, and records of rounds would be too many to keep. A moment is a copy of the few values that the map draws. All moments
 * together have a limit of rows, so of large grids the page keeps less than ten minutes. A class of a node that has not changed since the moment before is shared with it.
 */

/** What the map shows of one round: its time, nodes by name, and pairs of nodes with traffic. */
export class Moment {
  constructor(model, before = null) {
    this.time = model.now;
    this.nodes = new Map();
    this.pairs = [];
    this.rows = 0; // that are not shared
    for (const node of model.nodes.values()) {
      const old = before?.nodes.get(node.name)?.classes, shown = contents(node, old);
      this.nodes.set(node.name, shown);
      this.rows += shown.classes.filter((each, i) => each !== old?.[i]).length;
    }
    for (const { row, bytes, messages } of model.pairs.values()) if (bytes > 0 || messages > 0) this.pairs.push({ from: row.node, to: row.peer, bytes, messages });
    this.rows += this.nodes.size + this.pairs.length;
  }
}

/** The moments of the last minutes, the oldest first. */
export class Past {
  constructor() {
    this.moments = [];
    this.rows = 0;
  }

  /** Takes the state of a model at the end of a round. */
  add(model) {
    const moment = new Moment(model, this.moments.at(-1));
    this.moments.push(moment);
    this.rows += moment.rows;
    while (this.moments.length > 1 && (moment.time - this.moments[0].time > LONGEST_MILLIS || this.rows > MOST_ROWS)) this.rows -= this.moments.shift().rows;
  }
}

// A node and its objects: how many there are of a state, and the classes.
function contents(node, oldClasses = []) {
  const { name, state, isProgram, cpu, load, row: { host, cluster, detail } } = node;
  const classes = [...node.classes.values()].map((row, i) => sameClass(oldClasses[i], row) ?? { type: row.type, objects: row.objects, serving: row.serving });
  const objects = Math.max(load?.objects ?? 0, classes.reduce((sum, row) => sum + row.objects, 0));
  const waiting = Math.min(objects, load?.waiting ?? node.waits.length);
  const isBusy = new Set(node.waits.map(row => row.object));
  const inService = classes.reduce((sum, row) => sum + row.serving, 0); // those that wait meanwhile included
  const serving = Math.min(objects - waiting, classes.length ? Math.max(0, inService - waiting) : node.queues.filter(row => row.serving && !isBusy.has(row.object)).length);
  const queued = Math.min(objects - waiting - serving, node.queues.filter(row => row.queued > 0 && !row.serving && !isBusy.has(row.object)).length);
  return { name, host, cluster, state, isProgram, detail, cpu, hasReport: Boolean(load), requests: load?.queued ?? 0, objects, waiting, serving, queued, classes };
}

// The old one if it tells the same as a row, else null.
const sameClass = (old, row) => old && old.type === row.type && old.objects === row.objects && old.serving === row.serving ? old : null;

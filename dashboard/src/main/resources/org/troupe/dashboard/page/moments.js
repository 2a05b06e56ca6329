// The grid as the map shows it: now, and after each round of the last minutes.

const LONGEST_MILLIS = 600_000;
const MOST_BYTES = 16_000_000;
const MOMENT_BYTES = 1000;
const LABEL_BYTES = 100;
const CLASS_BYTES = 40;
const COLUMN_BYTES = 250;

const NUMBERS = ['cpu', 'requests', 'objects', 'waiting', 'serving', 'queued'];

/*
 * Design: the past of a live page.
 *
 * A moment has what the map draws: a label per node, and columns of numbers of nodes and pairs. It shares with the moment before what has not changed, so a round of
 * 100 nodes takes some 3 KB. All together have a limit, so of very large grids the page keeps less than ten minutes.
 */

/** What the map shows of one round: its time, nodes, and pairs of nodes. */
export class Moment {
  constructor(model, before = null) {
    this.time = model.now;
    this.bytes = MOMENT_BYTES; // that are not shared
    const nodes = [...model.nodes.values()], numbers = nodes.map(numbersOf);
    this.labels = this.#list(nodes.map((node, i) => this.#label(node, before?.labels[i])), before?.labels);
    this.numbers = NUMBERS.map((name, column) => this.#column(numbers.map(row => row[column]), before?.numbers[column]));
    const pairs = [...model.pairs.values()];
    this.ends = this.#list([...model.pairs.keys()], before?.ends);
    this.pairBytes = this.#column(pairs.map(pair => pair.bytes), before?.pairBytes);
    this.pairMessages = this.#column(pairs.map(pair => pair.messages), before?.pairMessages);
  }

  get nodes() {
    return this.labels.map((label, i) => ({ ...label, ...Object.fromEntries(NUMBERS.map((name, column) => [name, this.numbers[column][i]])) }));
  }

  get pairs() {
    return this.ends.map((ends, i) => {
      const [from, to] = ends.split('\t');
      return { from, to, bytes: this.pairBytes[i], messages: this.pairMessages[i] };
    });
  }

  // Each returns the old one if it is the same.
  #label(node, old) {
    const { name, state, isProgram, load, row: { host, cluster, detail } } = node;
    const label = { name, host, cluster, state, isProgram, detail, hasReport: Boolean(load), classes: [...node.classes.values()].map(({ type, objects }) => ({ type, objects })) };
    if (old && JSON.stringify(label) === JSON.stringify(old)) return old;
    this.bytes += LABEL_BYTES + CLASS_BYTES * label.classes.length;
    return label;
  }

  #list(list, old) {
    if (old?.length === list.length && list.every((each, i) => each === old[i])) return old;
    this.bytes += 8 * list.length;
    return list;
  }

  #column(numbers, old) {
    const column = Float32Array.from(numbers);
    if (old?.length === column.length && column.every((number, i) => Object.is(number, old[i]))) return old;
    this.bytes += COLUMN_BYTES + column.byteLength;
    return column;
  }
}

/** The moments of the last minutes, the oldest first. */
export class Past {
  constructor() {
    this.moments = [];
    this.bytes = 0;
  }

  /** Takes the state of a model at the end of a round. */
  add(model) {
    const moment = new Moment(model, this.moments.at(-1));
    this.moments.push(moment);
    this.bytes += moment.bytes;
    while (this.moments.length > 1 && (moment.time - this.moments[0].time > LONGEST_MILLIS || this.bytes > MOST_BYTES)) this.bytes -= this.moments.shift().bytes;
  }
}

// A node's processors in use, requests in queues, and objects: how many there are, and how many of a state.
function numbersOf(node) {
  const { cpu, load } = node, classes = [...node.classes.values()];
  const objects = Math.max(load?.objects ?? 0, classes.reduce((sum, row) => sum + row.objects, 0));
  const waiting = Math.min(objects, load?.waiting ?? node.waits.length);
  const isBusy = new Set(node.waits.map(row => row.object));
  const inService = classes.reduce((sum, row) => sum + row.serving, 0); // those that wait meanwhile included
  const serving = Math.min(objects - waiting, classes.length ? Math.max(0, inService - waiting) : node.queues.filter(row => row.serving && !isBusy.has(row.object)).length);
  const queued = Math.min(objects - waiting - serving, node.queues.filter(row => row.queued > 0 && !row.serving && !isBusy.has(row.object)).length);
  return [cpu, load?.queued ?? 0, objects, waiting, serving, queued];
}

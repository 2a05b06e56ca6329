// The state of a run, as the records of its stream have told it.

import { Counters, History } from './counters.js';
import { GroupState } from './groupwaits.js';
import { Spans } from './spans.js';

/*
 * Design: one round of changes.
 *
 * apply() takes the rows of a round, in any order; finishRound() ends it. Only what a row of the round has touched is worked on, so
 * a round costs in proportion to what has changed, not to what there is. Counters that have grown in the last round are settled once more, so that
 * their rates return to 0 when no row comes. Sums over nodes (of a method, of a class) take the difference of a row to its predecessor.
 * Views read the tables and never write them. Kinds of records that this page does not know are kept by their names in `others`.
 */

const NODE_COUNTS = ['served', 'failed', 'cpuSeconds', 'collectionSeconds', 'bytesOut', 'bytesIn', 'messagesOut'];
const NODE_HISTORY = ['cpu', 'heap', 'collecting', 'calls', 'queued', 'waiting', 'bytesOut', 'bytesIn'];
const TOTALS = ['calls', 'failed', 'bytes', 'queued', 'waiting', 'pending', 'heap', 'cpu'];
const METHOD_COUNTS = ['accepted', 'served', 'failed'];
const PAIR_COUNTS = ['messages', 'bytes', 'resets'];
const [SERVED, FAILED, CPU, COLLECTION, OUT, IN, MESSAGES] = NODE_COUNTS.keys();

const NO_OBJECTS = { objects: 0, queued: 0, serving: 0, longestQueue: 0, longestObject: '' };

const NODE_ROUNDS = 60; // older ones as averages
const TOTAL_ROUNDS = 120;
const MOST_EVENTS = 5000;
const MOST_FAILURES = 5000;
const MOST_GROUPS = 2000;
const MOST_OTHERS = 2000;

/** A node, its rates and its past. */
export class NodeState {
  constructor(name) {
    this.name = name;
    this.row = { node: name, element: '', host: '', cluster: '', virtualNodes: [], state: 'unknown', detail: '', pid: 0, isSilent: false, load: null };
    this.counters = new Counters(NODE_COUNTS.length);
    this.history = new History(NODE_HISTORY, NODE_ROUNDS);
    this.now = 0; // the time of the last round
    this.queues = [];
    this.waits = [];
    this.classes = new Map(); // by type: the row of its objects here
  }

  /** Its last report; null before the first one and after its end. */
  get load() { return this.row.state === 'ended' ? null : this.row.load; }
  get calls() { return this.#rate(SERVED, 'calls'); }
  get failing() { return this.#rate(FAILED); }
  /** Processors in use. */
  get cpu() { return this.#rate(CPU, 'cpu'); }
  /** The part of the time that went into garbage collections. */
  get collecting() { return this.#rate(COLLECTION, 'collecting'); }
  get bytesOut() { return this.#per(OUT, 'bytesOut'); }
  get bytesIn() { return this.counters.per[IN]; }
  get messagesOut() { return this.counters.per[MESSAGES]; }
  get heapPart() { return this.load && this.load.heapMostBytes > 0 ? this.load.heapUsedBytes / this.load.heapMostBytes : NaN; }
  get isProgram() { return this.row.element === '' && this.row.state !== 'unknown'; }

  #rate(counter, column) { return this.load ? this.#per(counter, column) : NaN; }

  // A rate is the difference of two rounds. In the only one of a report, or the first one, the past has the last rate, unless it ended long before.
  #per(counter, column) {
    const per = this.counters.per[counter];
    return column && this.load && this.counters.rounds < 2 && !Number.isFinite(per) ? this.history.last(column, this.now) : per;
  }

  /** Its state in one word: 'starting', 'joined', 'silent', 'ended', or 'released' if it has ended for that reason. */
  get state() {
    const { state, isSilent, detail } = this.row;
    return state === 'joined' && isSilent ? 'silent' : state === 'ended' && detail === 'it was released' ? 'released' : state;
  }
}

/** A method of a class, summed over nodes. */
export class MethodTotals {
  constructor(type, method) {
    this.type = type;
    this.method = method;
    this.rows = new Map(); // by node
    this.counters = new Counters(METHOD_COUNTS.length);
    this.merged = null; // its times, until a row changes
  }

  get accepted() { return this.counters.now[0]; }
  get served() { return this.counters.now[1]; }
  get failed() { return this.counters.now[2]; }
  get pending() { return Math.max(0, this.accepted - this.served); }
  get calls() { return this.counters.per[1]; }
  get failing() { return this.counters.per[2]; }
  get waits() { return this.#times().waits; }
  get services() { return this.#times().services; }

  #times() {
    this.merged ??= { waits: mergedTimes(this.rows.values(), 'waits'), services: mergedTimes(this.rows.values(), 'services') };
    return this.merged;
  }
}

/** A class of active objects, summed over nodes and methods. */
export class TypeTotals {
  constructor(type) {
    this.type = type;
    this.methods = new Map();
    this.counters = new Counters(METHOD_COUNTS.length);
    this.objects = 0;
    this.queued = 0;
    this.serving = 0;
    this.places = new Map(); // by node: the row of its objects there
  }

  get accepted() { return this.counters.now[0]; }
  get served() { return this.counters.now[1]; }
  get failed() { return this.counters.now[2]; }
  get pending() { return Math.max(0, this.accepted - this.served); }
  get calls() { return this.counters.per[1]; }
  get failing() { return this.counters.per[2]; }
  get waits() { return mergedTimes(this.methods.values(), 'waits'); }
  get services() { return mergedTimes(this.methods.values(), 'services'); }
  get nodes() { return new Set([...this.places.keys(), ...[...this.methods.values()].flatMap(method => [...method.rows.keys()])]).size; }

  /** The row of the node on which an object of the class has the longest queue, or null. */
  get longest() {
    let longest = null;
    for (const row of this.places.values()) if (row.longestQueue > (longest?.longestQueue ?? 0)) longest = row;
    return longest;
  }
}

/** The traffic from a node to another one. */
export class PairState {
  constructor() {
    this.row = null;
    this.counters = new Counters(PAIR_COUNTS.length);
  }

  get messages() { return this.counters.per[0]; }
  get bytes() { return this.counters.per[1]; }
}

// The median is that of the medians, weighted by their samples; the 99th percentile is the largest of any node.
function mergedTimes(rows, name) {
  const known = [...rows].map(row => row[name]).filter(times => times && times.samples > 0);
  if (known.length < 2) return known[0] ?? null;
  const samples = known.reduce((sum, times) => sum + times.samples, 0);
  let seen = 0, median = 0;
  for (const times of known.sort((a, b) => a.median - b.median)) {
    median = times.median;
    seen += times.samples;
    if (2 * seen >= samples) break;
  }
  return { samples, median, p99: Math.max(...known.map(times => times.p99)), most: Math.max(...known.map(times => times.most)) };
}

/** All that is known of one run. */
export class Model {
  constructor() {
    this.totals = new History(TOTALS, TOTAL_ROUNDS);
    this.dropped = { events: 0, failures: 0, groups: 0, others: 0 };
    this.rounds = 0;
    this.lastRoundMillis = 0;
    this.begin = null;
    this.round = null;
    this.#clear(new Map());
  }

  #clear(oldNodes) {
    this.oldNodes = oldNodes; // of the stream before, for their histories
    this.nodes = new Map();
    this.methods = new Map();
    this.types = new Map();
    this.pairs = new Map();
    this.program = ''; // the node that is the program itself
    this.failures = new Map();
    this.events = new Map();
    this.jobs = new Map();
    this.jvmOptions = new Map(); // by element
    this.collectives = new Map(); // in which a member waits
    this.groups = new Map(); // all of which members have waited
    this.cycles = new Map();
    this.panels = new Map(); // of a recording: a live page has them in their view
    this.others = new Map(); // by kind, each by key
    this.spans = new Spans();
    this.touched = new Set();
    this.moving = new Set();
    this.counted = { failures: 0 };
    this.isWhole = false;
  }

  /** Takes a record of the stream; returns whether it ends a round. */
  apply(record) {
    switch (record.record) {
      case 'begin': this.#applyBegin(record); break;
      case 'round': this.#finishRound(record); return true;
      case 'node': this.#applyNode(record); break;
      case 'method': this.#applyMethod(record); break;
      case 'queues': this.node(record.node).queues = record.queues ?? []; this.spans.note(record.node, 'serving', record.queues ?? []); break;
      case 'waits': this.#applyWaits(record); break;
      case 'pair': this.#applyPair(record); break;
      case 'failure': this.#applyFailure(record); break;
      case 'event': this.#applyEvent(record); break;
      case 'class': this.#applyClass(record); break;
      case 'job': this.#applyJob(record); break;
      case 'collective': this.#applyCollective(record); break;
      case 'operation': this.#applyOperation(record); break;
      case 'cycle': this.#keep(this.cycles, record.node + '\t' + record.number, record, MOST_EVENTS, 'events'); break;
      case 'panel': this.panels.set(record.panel, record); break;
      case 'vitals': this.#applyVitals(record); break;
      default: this.#applyOther(record);
    }
    return false;
  }

  /** Returns the state of a node, known or not. */
  node(name) {
    let node = this.nodes.get(name);
    if (!node) {
      node = new NodeState(name);
      const old = this.oldNodes.get(name);
      if (old) node.history = old.history;
      this.nodes.set(name, node);
    }
    return node;
  }

  /** Returns the driver of the link between a node and the program; empty if neither has named it. */
  driverOf(node) {
    const driver = (from, to) => this.pairs.get(from + '\t' + to)?.row.driver;
    return driver(node, this.program) || driver(this.program, node) || '';
  }

  /** Returns the totals of a class, known or not. */
  type(name) {
    let type = this.types.get(name);
    if (!type) this.types.set(name, type = new TypeTotals(name));
    return type;
  }

  /** Returns the rows of a kind that has no table of its own. */
  rowsOf(kind) {
    return [...(this.others.get(kind)?.values() ?? [])];
  }

  /** The time of the last round, in milliseconds. */
  get now() { return this.round?.timeMillis ?? Date.now(); }

  #applyBegin(begin) {
    if (begin.isWhole !== false) this.#clear(this.begin?.id === begin.id ? this.nodes : new Map());
    this.begin = begin;
  }

  #applyNode(row) {
    const node = this.node(row.node);
    node.row = row.cluster ? row : { ...row, cluster: node.row.cluster }; // that of a node that has ended is not told any more
    if (node.isProgram) this.program = row.node;
    if (row.load) {
      node.counters.now[SERVED] = row.load.served;
      node.counters.now[FAILED] = row.load.failed;
      node.counters.now[CPU] = row.load.cpuSeconds;
      node.counters.now[COLLECTION] = row.load.collectionSeconds;
    }
    if (row.state === 'ended') for (const place of node.classes.values()) this.#applyClass(place);
    this.touched.add(node);
  }

  #applyMethod(row) {
    const key = row.type + '\t' + row.method;
    const type = this.type(row.type);
    let method = type.methods.get(row.method);
    if (!method) {
      type.methods.set(row.method, method = new MethodTotals(row.type, row.method));
      this.methods.set(key, method);
    }
    const before = method.rows.get(row.node);
    METHOD_COUNTS.forEach((name, i) => {
      for (const totals of [method, type]) {
        if (before) totals.counters.now[i] += row[name] - before[name];
        else totals.counters.addPast(i, row[name]);
      }
    });
    method.rows.set(row.node, row);
    method.merged = null;
    this.touched.add(method).add(type);
  }

  #applyClass(told) {
    const node = this.node(told.node), row = node.row.state === 'ended' ? { ...told, ...NO_OBJECTS } : told;
    const type = this.type(row.type), before = type.places.get(row.node);
    for (const name of ['objects', 'queued', 'serving']) type[name] += row[name] - (before?.[name] ?? 0);
    type.places.set(row.node, row);
    node.classes.set(row.type, row);
  }

  #applyWaits(record) {
    const { node } = record, waits = record.waits ?? [];
    this.node(node).waits = waits;
    this.spans.note(node, 'waiting', waits);
    for (const { group, rank, object } of waits) if (group && rank >= 0) this.#group(group).members.set(rank, { object, node });
  }

  #applyCollective(row) {
    if (row.operation) this.collectives.set(row.group, row);
    else this.collectives.delete(row.group);
    this.#group(row.group).take(row);
  }

  #applyOperation(row) {
    this.#group(row.group).count(row);
  }

  #group(id) {
    const group = this.groups.get(id) ?? new GroupState();
    this.#keep(this.groups, id, group, MOST_GROUPS, 'groups');
    return group;
  }

  #applyVitals(row) {
    const columns = [row.cores, row.heapUsedBytes, row.collecting, row.served, row.queued, row.waiting, row.bytesOut, row.bytesIn];
    this.node(row.node).history.addPast((row.timeMillis ?? []).map((time, i) => [time, columns.map(column => column?.[i])]));
  }

  #applyPair(row) {
    const key = row.node + '\t' + row.peer;
    let pair = this.pairs.get(key);
    const isNew = !pair;
    if (isNew) this.pairs.set(key, pair = new PairState());
    const from = this.node(row.node), to = this.node(row.peer);
    const add = (counters, index, value, old) => isNew ? counters.addPast(index, value) : counters.now[index] += value - old;
    add(from.counters, OUT, row.bytes, pair.row?.bytes);
    add(from.counters, MESSAGES, row.messages, pair.row?.messages);
    add(to.counters, IN, row.bytes, pair.row?.bytes);
    PAIR_COUNTS.forEach((name, i) => pair.counters.now[i] = row[name]);
    pair.row = row;
    this.touched.add(pair).add(from).add(to);
  }

  #applyFailure(row) {
    const key = [row.node, row.cause, row.call, row.exception, row.frame].join('\t');
    this.counted.failures += row.count - (this.failures.get(key)?.count ?? 0);
    this.#keep(this.failures, key, row, MOST_FAILURES, 'failures');
  }

  #applyEvent(row) {
    this.#keep(this.events, row.number, row, MOST_EVENTS, 'events');
  }

  #applyJob(row) {
    this.jobs.set(row.element + '\t' + row.first, row);
    this.jvmOptions.set(row.element, (row.jvmOptions ?? []).join(' '));
  }

  #applyOther(row) {
    if (typeof row.record !== 'string') return;
    let rows = this.others.get(row.record);
    if (!rows) this.others.set(row.record, rows = new Map());
    this.#keep(rows, keyOf(row), row, MOST_OTHERS, 'others');
  }

  // Keeps a row in place of that with its key, and drops the oldest one if there are too many.
  #keep(rows, key, row, most, kind) {
    rows.set(key, row);
    if (rows.size <= most) return;
    rows.delete(rows.keys().next().value);
    this.dropped[kind]++;
  }

  #finishRound(round) {
    const seconds = this.lastRoundMillis ? (round.timeMillis - this.lastRoundMillis) / 1000 : 0;
    const settled = new Set(this.touched);
    for (const each of this.moving) settled.add(each);
    this.moving.clear();
    for (const each of settled) if (each.counters.settle(seconds)) this.moving.add(each);
    this.touched.clear();
    this.round = round;
    this.rounds++;
    this.lastRoundMillis = round.timeMillis;
    this.isWhole = true;
    this.spans.settle(round.timeMillis);
    this.#remember(round.timeMillis);
  }

  #remember(time) {
    const sum = { calls: NaN, failed: NaN, bytes: NaN, queued: 0, waiting: 0, pending: NaN, heap: 0, cpu: NaN };
    const add = (name, value) => { if (Number.isFinite(value)) sum[name] = (Number.isNaN(sum[name]) ? 0 : sum[name]) + value; };
    for (const node of this.nodes.values()) {
      if (!node.load) continue;
      node.now = time;
      add('calls', node.calls);
      add('failed', node.failing);
      add('bytes', node.bytesOut);
      add('queued', node.load.queued);
      add('waiting', node.load.waiting);
      add('pending', node.load.pending);
      add('heap', node.load.heapUsedBytes);
      add('cpu', node.cpu);
      node.history.add(time, [node.cpu, node.load.heapUsedBytes, node.collecting, node.calls, node.load.queued, node.load.waiting, node.bytesOut, node.bytesIn]);
    }
    this.totals.add(time, TOTALS.map(name => sum[name]));
  }
}

// A row without a table of its own is told from others by what looks like names and numbers of things.
const KEY_FIELDS = ['key', 'number', 'id', 'name', 'element', 'node', 'peer', 'object', 'group', 'type', 'method', 'rank'];

function keyOf(row) {
  const key = KEY_FIELDS.filter(field => field in row && typeof row[field] !== 'object').map(field => field + '=' + row[field]);
  return key.length ? key.join('\t') : JSON.stringify(row);
}

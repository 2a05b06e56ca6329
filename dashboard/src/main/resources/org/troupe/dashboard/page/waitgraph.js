// Who waits for whom: chains, cycles and sentences, from the rows of waits and queues.

import { duration, plural, shortMethod, shortType } from './format.js';

/*
 * Design: the graph.
 *
 * A vertex is an object that waits, is awaited, or serves or has requests; it has at most one wait, since an object serves one
 * request at a time (of an object with parallel services the longest wait is taken). The wait leads to the object at its end if the program
 * knows it. Members of a group that wait in a collective operation lead to the members that are missing, which are shown by rank, since
 * their objects are not known. A cycle of such edges is only suspected: rows are not of one moment. Proved cycles come as records.
 */

/** Builds the graph of what waits now. */
export class WaitGraph {
  constructor(model) {
    this.vertices = new Map();
    for (const node of model.nodes.values()) {
      if (node.row.state === 'ended') continue;
      for (const row of node.queues) this.#noteQueue(node.name, row);
      for (const row of node.waits) this.#noteWait(node.name, row);
    }
    this.#link();
    this.cycles = this.#findCycles();
  }

  #vertex(id, type = '', node = '') {
    let vertex = this.vertices.get(id);
    if (!vertex) this.vertices.set(id, vertex = { id, type, node, queued: 0, serving: '', servingSeconds: -1, leastSeconds: 0, caller: '', wait: null, next: null, waiters: [] });
    vertex.type ||= type;
    vertex.node ||= node;
    return vertex;
  }

  #noteQueue(node, row) {
    const vertex = this.#vertex(row.object, row.type, node);
    vertex.queued = row.queued;
    vertex.serving ||= row.serving;
    vertex.servingSeconds = Math.max(vertex.servingSeconds, row.servingSeconds);
    vertex.leastSeconds = Math.max(vertex.leastSeconds, row.leastSeconds ?? 0);
    vertex.caller ||= row.caller;
  }

  #noteWait(node, row) {
    const vertex = this.#vertex(row.object, row.type, node);
    if (!vertex.wait || row.waitingSeconds > vertex.wait.waitingSeconds) vertex.wait = row;
    vertex.serving = row.serving || vertex.serving;
  }

  #link() {
    for (const vertex of [...this.vertices.values()]) {
      const target = vertex.wait?.awaitedObject;
      if (!target) continue;
      vertex.next = this.#vertex(target, '', vertex.wait.awaitedNode);
      vertex.next.waiters.push(vertex);
    }
  }

  #findCycles() {
    const cycles = [], seen = new Map();
    for (const start of this.vertices.values()) {
      const path = [];
      let at = start;
      while (at && !seen.has(at)) {
        seen.set(at, start);
        path.push(at);
        at = at.next;
      }
      if (at && seen.get(at) === start) cycles.push(path.slice(path.indexOf(at)));
    }
    return cycles;
  }

  /** The waiting vertices, the longest wait first. */
  get waiting() {
    return [...this.vertices.values()].filter(vertex => vertex.wait).sort((a, b) => b.wait.waitingSeconds - a.wait.waitingSeconds);
  }

  /** Returns the vertices from one to the end of its chain; the last one may be in a cycle. */
  chain(vertex) {
    const chain = [];
    for (let at = vertex; at && !chain.includes(at); at = at.next) chain.push(at);
    return chain;
  }

  /** The longest chain of objects that wait for each other. */
  get longestChain() {
    const depths = new Map();
    const depth = vertex => {
      const path = [];
      let at = vertex;
      while (at && !depths.has(at) && !path.includes(at)) {
        path.push(at);
        at = at.next;
      }
      let below = at ? depths.get(at) ?? 0 : 0;
      for (const each of path.reverse()) depths.set(each, ++below);
      return depths.get(vertex);
    };
    let longest = null, most = 1;
    for (const vertex of this.vertices.values()) {
      if (!vertex.wait) continue;
      const length = depth(vertex);
      if (length > most) [longest, most] = [vertex, length];
    }
    return longest ? this.chain(longest) : [];
  }

  /** Returns the cycle in which a chain ends, or null. */
  cycleOf(vertex) {
    const chain = this.chain(vertex), last = chain[chain.length - 1];
    return this.cycles.find(cycle => cycle.includes(last)) ?? null;
  }

  /** Says in one sentence why an object waits, down to the root of its chain. */
  why(vertex) {
    if (!vertex.wait) return nameOf(vertex) + ' does not wait: ' + doing(vertex) + '.';
    const cycle = this.cycleOf(vertex);
    const chain = this.chain(vertex), root = chain[chain.length - 1];
    const first = nameOf(vertex) + ' has waited ' + (vertex.wait.waitingSeconds >= 0 ? duration(vertex.wait.waitingSeconds) + ' ' : '') + forWhat(vertex.wait);
    if (cycle) return first + '; the chain runs in a circle of ' + plural(cycle.length, 'object') + ', which waits for itself: ' + cycle.map(nameOf).join(' → ') + ' → ' + nameOf(cycle[0]) + '.';
    const between = chain.length > 2 ? ', behind ' + plural(chain.length - 2, 'more object') + ',' : '';
    if (root === vertex) return first + ending(vertex.wait) + '.';
    if (root.wait) return first + between + ' and at the end of the chain ' + nameOf(root) + ' waits ' + forWhat(root.wait) + ending(root.wait) + '.';
    return first + (between || ',') + ' which is held up by ' + nameOf(root) + ': ' + doing(root) + '.';
  }
}

/** An object as people name it: 'Solver n1/7'. */
export const nameOf = vertex => (vertex.type ? shortType(vertex.type) + ' ' : '') + vertex.id;

/** What a wait is for, in words that follow 'waits'. */
export function forWhat(wait) {
  if (wait.missing?.length) return 'in ' + wait.awaited + ' for ' + ranks(wait.missing, wait.size);
  const at = wait.awaitedObject ? ' of ' + wait.awaitedObject : '';
  switch (wait.kind) {
    case 'queue': return 'for space in the full queue' + at + (at ? '' : ' (' + wait.awaited + ')');
    case 'credit': return 'for space on the link to node ' + (wait.awaitedNode || wait.awaited);
    case 'end': return 'for the end' + at + (at ? '' : ' of ' + wait.awaited);
    default: return 'for ' + (wait.awaitedMethod ? shortMethod(wait.awaitedMethod) + at : shortMethod(wait.awaited) || 'a result');
  }
}

// What would end a wait whose other end is not known as an object.
function ending(wait) {
  if (wait.missing?.length) return ', which ' + (wait.missing.length === 1 ? 'has' : 'have') + ' not arrived';
  if (wait.kind === 'queue') return '; it goes on when a request of that queue has been served';
  if (wait.kind === 'credit') return '; it goes on when that node has taken what was sent';
  return wait.awaitedNode ? ' on node ' + wait.awaitedNode : '';
}

function doing(vertex) {
  const queue = vertex.queued > 0 ? ', with ' + plural(vertex.queued, 'request') + ' in its queue' : '';
  if (vertex.serving) return (vertex.leastSeconds > 0 ? 'it has served ' + shortMethod(vertex.serving) + ' for at least ' + duration(vertex.leastSeconds) : 'it serves ' + shortMethod(vertex.serving)) + (vertex.caller ? ', called by ' + vertex.caller.replaceAll('$', '.') : '') + queue;
  return vertex.queued > 0 ? 'it has ' + plural(vertex.queued, 'request') + ' in its queue' : 'no report says what it does; it is idle or its service is short';
}

/** Ranks as ranges: 'ranks 0-2 and 7 of 16'. */
export function ranks(list, size = 0) {
  const sorted = [...list].sort((a, b) => a - b), ranges = [];
  for (const rank of sorted) {
    const last = ranges[ranges.length - 1];
    if (last && last[1] === rank - 1) last[1] = rank;
    else ranges.push([rank, rank]);
  }
  const texts = ranges.map(([from, to]) => from === to ? String(from) : from + '–' + to);
  const shown = texts.length > 6 ? texts.slice(0, 6).join(', ') + ' and ' + (texts.length - 6) + ' more' : texts.length > 1 ? texts.slice(0, -1).join(', ') + ' and ' + texts[texts.length - 1] : texts[0] ?? 'none';
  return (sorted.length === 1 ? 'rank ' : 'ranks ') + shown + (size ? ' of ' + size : '');
}

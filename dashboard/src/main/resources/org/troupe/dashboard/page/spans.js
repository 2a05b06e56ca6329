// What objects were seen doing, as spans of time.

const MOST_SPANS = 20_000;
const LONGEST_MILLIS = 1_800_000; // since the end of the oldest one
const MOST_SAMPLES = 1000; // of one span

/*
 * Design: spans and samples from reports.
 *
 * Each round tells what the busiest objects serve or wait for at that moment, and for how long reports have seen the same request or wait. A span grows from the
 * first of these reports to the last. What only one report has seen is a sample, since it may have lasted for a microsecond. Samples in a row of one method and caller
 * are one entry with the times of the rounds in `seenAt`. `notBefore` is the earliest time at which a span may have begun. Records of the tier 'trace' are exact and are added as they are.
 */
export class Spans {
  constructor() {
    this.done = []; // {node, object, type, label, state, caller, callerObject, callerNode, notBefore, from, to, seenAt, isExact}, oldest first
    this.open = new Map(); // by state and node, as their rows come: each by object
    this.noted = new Map(); // by state and node: rows of this round
    this.dropped = 0;
    this.tracedMillis = 0; // when the last trace began
  }

  /** Takes the rows of a node; their times count from the end of the round. */
  note(node, state, rows) {
    this.noted.set(state + '\t' + node, { node, state, rows });
  }

  /** Ends a round. */
  settle(now) {
    for (const [key, { node, state, rows }] of this.noted) {
      const open = this.open.get(key) ?? new Map(), seen = new Set();
      for (const row of rows) {
        if (state === 'serving' && !row.serving) continue;
        seen.add(row.object);
        this.#see(open, node, state, row, now);
      }
      for (const [object, span] of open) {
        if (seen.has(object)) continue;
        open.delete(object);
        this.add(span);
      }
      if (open.size) this.open.set(key, open);
      else this.open.delete(key);
    }
    this.noted.clear();
    this.#forget(now - LONGEST_MILLIS);
  }

  #forget(before) {
    const kept = this.done.findIndex(span => span.to >= before), old = kept < 0 ? this.done.length : kept;
    this.done.splice(0, old);
    this.dropped += old;
  }

  #see(open, node, state, row, now) {
    const label = row.serving || row.awaited || '', caller = row.caller ?? '', from = now - 1000 * (row.leastSeconds ?? 0);
    const mostSeconds = state === 'serving' ? row.servingSeconds : row.waitingSeconds, notBefore = mostSeconds >= 0 ? now - 1000 * mostSeconds : NaN;
    const before = open.get(row.object), isAlike = before?.label === label && before.caller === caller;
    if (from < now && isAlike && from < (before.seenAt ? (before.to + now) / 2 : before.to)) { // the last report has seen it, too
      if (before.seenAt?.length > 1) {
        before.seenAt.pop();
        this.add({ ...before, to: before.seenAt.at(-1) });
      }
      if (before.seenAt) Object.assign(before, { notBefore, from: before.to, seenAt: null });
      before.to = now;
    } else if (from === now && isAlike && before.seenAt?.length < MOST_SAMPLES) {
      before.seenAt.push(now);
      before.to = now;
    } else {
      if (before) this.add(before);
      open.set(row.object, {
        node, state, label, object: row.object, type: row.type, caller, ...callerOf(caller), awaited: row.awaited ?? '', notBefore, from, to: now, seenAt: from === now ? [now] : null, isExact: false,
      });
    }
  }

  /** Adds a span that has ended. */
  add(span) {
    this.done.push(span);
    if (this.done.length > MOST_SPANS) {
      this.done.splice(0, MOST_SPANS / 4);
      this.dropped += MOST_SPANS / 4;
    }
  }

  /** Takes a record of a trace that began at a time; returns whether it was a call or a wait. */
  addTraced(record, beginMillis) {
    if (record.record !== 'call' && record.record !== 'wait') return false;
    const isCall = record.record === 'call', callerNode = isCall ? record.callerNode : '', callerObject = callerNode && record.caller ? callerNode + '/' + record.caller : '';
    this.add({
      node: record.node, state: isCall ? 'serving' : 'waiting', label: isCall ? record.method : record.awaited, object: record.node + '/' + record.object, type: record.type,
      caller: callerObject || callerNode, callerObject, callerNode, awaited: isCall ? '' : record.awaited,
      from: beginMillis + record.beganNanos / 1e6, to: beginMillis + record.endedNanos / 1e6, seenAt: null, isExact: true, hasFailed: record.hasFailed === true,
      queuedSeconds: isCall ? (record.beganNanos - record.acceptedNanos) / 1e9 : NaN,
    });
    return true;
  }

  /** Returns the spans that touch an interval, in milliseconds. */
  between(from, to) {
    return [...this.done, ...[...this.open.values()].flatMap(spans => [...spans.values()])].filter(span => span.to >= from && span.from <= to);
  }
}

// Reports name a caller as 'Solver a1/7' if it is an object, else as "node 'a1'".
function callerOf(name) {
  const node = /^node '(.*)'$/.exec(name)?.[1];
  if (node !== undefined) return { callerObject: '', callerNode: node };
  const object = name.slice(name.lastIndexOf(' ') + 1), end = object.lastIndexOf('/');
  return end < 0 ? { callerObject: '', callerNode: name } : { callerObject: object, callerNode: object.slice(0, end) };
}

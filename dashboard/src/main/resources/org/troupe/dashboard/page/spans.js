// What objects were seen doing, as spans of time.

const MOST_SPANS = 20_000;

/*
 * Design: spans from looks.
 *
 * Each round tells of the busiest objects what they serve or wait for, and since when. A look whose beginning lies behind the last look at the
 * same doing begins a new span; any other one makes the span longer. Only services of about a round or more are seen in this way. Records of the tier
 * 'trace' are exact and are added as they are.
 */
export class Spans {
  constructor() {
    this.done = []; // {node, object, type, label, state, caller, callerObject, callerNode, from, to, isExact}, oldest first
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
        const seconds = state === 'serving' ? row.servingSeconds : row.waitingSeconds;
        if ((state === 'serving' && !row.serving) || !(seconds >= 0)) continue;
        seen.add(row.object);
        this.#extend(open, node, state, row, now - seconds * 1000, now);
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
  }

  #extend(open, node, state, row, from, now) {
    const label = row.serving || row.awaited || '', span = open.get(row.object);
    if (span && span.label === label && from <= span.to) {
      span.to = now;
      return;
    }
    if (span) this.add(span);
    open.set(row.object, {
      node, state, label, object: row.object, type: row.type, caller: row.caller ?? '', ...callerOf(row.caller ?? ''), awaited: row.awaited ?? '', from, to: now, isExact: false,
    });
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
      from: beginMillis + record.beganNanos / 1e6, to: beginMillis + record.endedNanos / 1e6, isExact: true, hasFailed: record.hasFailed === true,
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

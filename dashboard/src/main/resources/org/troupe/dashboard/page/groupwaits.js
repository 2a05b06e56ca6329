// The collective operations of a group, and the waits of its members: for how long, in which operation, and for which ranks.

/*
 * Design: waits from looks.
 *
 * A row tells that members wait in an operation, for how long the first has waited, and which ranks are missing. A wait begins with a row whose operation is
 * another one or whose time is shorter than before, and ends with the next wait or with a row without an operation. The time since the row before counts for each
 * missing rank; the ranks that were missing in the last row of a wait have arrived last. Waits that no report has seen, mostly those of less than a second, do not count.
 * If the node of the longest waiting member sends no report for a moment, its wait looks like an end and a new beginning, and its time counts twice.
 */

/** A group of active objects, with sums over its operations and the waits of its members. */
export class GroupState {
  constructor() {
    this.row = null; // the last one
    this.operations = new Map(); // by name: {waits, seconds}
    this.ranks = new Map(); // those that others waited for: {rank, lasts, seconds}
    this.counted = new Map(); // by operation and algorithm: {operation, algorithm, rows}, of which rows are by node
    this.members = new Map(); // by rank: {object, node} of those that were seen to wait
    this.waits = 0;
    this.ended = 0; // of these
    this.seconds = 0;
  }

  /** Takes the next row. */
  take(row) {
    const before = this.row, isNew = row.operation !== before?.operation || row.waitingSeconds < before.waitingSeconds;
    if (before?.operation && isNew) this.#end(before);
    this.row = row;
    if (!row.operation) return;
    let operation = this.operations.get(row.operation);
    if (!operation) this.operations.set(row.operation, operation = { name: row.operation, waits: 0, seconds: 0 });
    if (isNew) {
      operation.waits++;
      this.waits++;
    }
    const seconds = Math.max(0, row.waitingSeconds - (isNew ? 0 : before.waitingSeconds)) || 0;
    operation.seconds += seconds;
    this.seconds += seconds;
    for (const rank of row.missing ?? []) this.#rank(rank).seconds += seconds;
  }

  /** Takes the next row of a node on operations of one kind. */
  count(row) {
    this.row ??= { group: row.group, type: row.type, size: row.size, operation: '', arrived: [], missing: [], waitingSeconds: 0 };
    const key = row.operation + '\t' + row.algorithm;
    if (!this.counted.has(key)) this.counted.set(key, { operation: row.operation, algorithm: row.algorithm, rows: new Map() });
    this.counted.get(key).rows.set(row.node, row);
  }

  /** The operations of each kind and algorithm, those of most bytes first. */
  get transfers() {
    return [...this.counted.values()].map(each => {
      const rows = [...each.rows.values()];
      return { ...each, parts: rows.reduce((sum, row) => sum + row.parts, 0), bytes: rows.reduce((sum, row) => sum + row.bytes, 0) };
    }).sort((a, b) => b.bytes - a.bytes || b.parts - a.parts);
  }

  /** The bytes that members have given to others. */
  get bytes() {
    return this.transfers.reduce((sum, each) => sum + each.bytes, 0);
  }

  #end(row) {
    this.ended++;
    for (const rank of row.missing ?? []) this.#rank(rank).lasts++;
  }

  #rank(number) {
    let rank = this.ranks.get(number);
    if (!rank) this.ranks.set(number, rank = { rank: number, lasts: 0, seconds: 0 });
    return rank;
  }

  /** The ranks that others waited for, the one that was most often the last first. */
  get awaited() {
    return [...this.ranks.values()].sort((a, b) => b.lasts - a.lasts || b.seconds - a.seconds || a.rank - b.rank);
  }
}

// Where records come from: the stream of a running program, or a recording in this page.

import { ask, eachLine } from './api.js';

const SILENCE_MILLIS = 25_000; // a stream says something at least each 10 s
const LONGEST_PAUSE_MILLIS = 60_000;
const POLL_MILLIS = 1000;
const STREAM_TRIALS = 2;
const MANY_FAILURES = 5; // after some 15 s

/*
 * Design: the source of a live page.
 *
 * States: 'starting', 'live', 'polling', 'silent' (the stream is there, but no round comes), 'waiting' (to try again), 'lost' (so for long), 'ended', 'refused'. A request for the stream is renewed with the cursor of the last whole
 * round, so nothing is lost and nothing comes twice. A stream that brings no byte in time is given up; after two of them in a row, as behind
 * a proxy that buffers, the page asks for single rounds instead. Other failures, as of a server that has ended, only make the pauses longer, up to a minute.
 * A run that has ended is not asked for again: the server does not find it, or answers with its report, whose second record is a 'recording'. A hidden page reads
 * on, since the server drops and merges what it does not read, but draws nothing.
 */
export class LiveStream {
  constructor(run, take, tell, { silenceMillis = SILENCE_MILLIS, rows = undefined } = {}) {
    this.run = run;
    this.take = take; // of a record; returns whether it ends a round
    this.tell = tell; // of the state and a text
    this.silenceMillis = silenceMillis;
    this.rows = rows; // the kinds of rows; without them those that a server sends by itself
    this.intervalSeconds = 0;
    this.cursor = '';
    this.isPolling = false;
    this.failures = 0; // in a row
    this.muteStreams = 0; // in a row
    this.hasReport = false; // instead of a stream
    this.bytes = 0;
    this.records = 0;
    this.isStopped = false;
  }

  async start() {
    while (!this.isStopped) {
      const controller = this.controller = new AbortController();
      try {
        const rounds = await this.#read(controller);
        if (this.isStopped) return;
        if (this.hasEnded || this.hasReport) return this.tell('ended', 'The run has ended.');
        if (rounds === 0) this.#failed('The stream ended without a round.');
      } catch (error) {
        if (this.isStopped) return;
        if (this.hasReport) return this.tell('ended', 'The run has ended.');
        if (error.status === 401 || error.status === 403) return this.tell('refused', error.message);
        if (error.status === 404 || error.status === 410) return this.tell('ended', error.message);
        this.#failed(error instanceof TypeError ? 'The connection to the dashboard broke.' : error.message);
      }
      await this.#pause(this.failures > 0 ? Math.min(LONGEST_PAUSE_MILLIS, 500 * 2 ** Math.min(this.failures, 7)) : POLL_MILLIS);
    }
  }

  /** Tries again now, if it waits for that. */
  hurry() {
    this.wake?.();
  }

  stop() {
    this.isStopped = true;
    this.controller?.abort();
    this.hurry();
  }

  #failed(message) {
    this.failures++;
    if (this.muteStreams >= STREAM_TRIALS) this.isPolling = true;
    if (this.failures < MANY_FAILURES) this.tell('waiting', message);
    else this.tell('lost', message + ' The page tries again each minute.');
  }

  #pause(millis) {
    return new Promise(done => {
      this.wake = done;
      setTimeout(done, millis);
    });
  }

  async #read(controller) {
    let rounds = 0;
    let watchdog, overdue;
    const renew = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => {
        this.muteStreams++;
        controller.abort(new Error('Nothing has come for 25 s. A proxy in between may hold answers back.'));
      }, SILENCE_MILLIS);
    };
    // The server of the page fills pauses; only a round shows that the program is there.
    const expect = () => {
      clearTimeout(overdue);
      const millis = Math.max(this.silenceMillis, 3000 * this.intervalSeconds);
      overdue = setTimeout(() => this.tell('silent', 'The program sends no reports. It may be stopped, as by Ctrl-Z, or busy; ./troupe stack tells which.'), millis);
    };
    renew();
    expect();
    try {
      const answer = await ask('watch', { run: this.run, rows: this.rows, cursor: this.cursor || undefined, poll: this.isPolling ? '' : undefined }, controller.signal);
      await eachLine(answer, line => {
        if (this.hasReport) return;
        this.bytes += line.length + 1;
        this.records++;
        const record = parsed(line);
        if (!record) return;
        if (record.record === 'recording') {
          this.hasReport = true;
          controller.abort();
          return;
        }
        if (record.record === 'end') this.hasEnded = true;
        if (record.record === 'begin') this.intervalSeconds = record.intervalSeconds || 0;
        if (this.take(record)) {
          this.cursor = record.cursor ?? '';
          this.failures = this.muteStreams = 0;
          rounds++;
          this.tell(this.isPolling ? 'polling' : 'live', '');
          expect();
        }
      }, renew);
    } finally {
      clearTimeout(watchdog);
      clearTimeout(overdue);
    }
    return rounds;
  }
}

/** Reads the past of the nodes, which the stream does not contain unless it is asked for, into a model. */
export async function readPast(run, model) {
  const controller = new AbortController();
  try {
    await eachLine(await ask('watch', { run, rows: 'vitals', poll: '' }, controller.signal), line => {
      const record = parsed(line);
      if (record?.record === 'vitals') model.apply(record);
      else if (record?.record === 'round') controller.abort();
    });
  } catch { /* a program without a past, or the end of the round */ }
}

/** The records of a recording in rounds, to be shown at any of their times. */
export class Recording {
  constructor(text) {
    this.rounds = []; // each a list of lines
    this.logs = [];
    this.stacks = '';
    this.settings = null;
    this.about = null; // why the recording was made, and what it lacks
    let lines = [];
    for (const line of text.split('\n')) {
      if (!line.trim()) continue;
      const kind = /^\{"record":"(\w+)"/.exec(line)?.[1] ?? parsed(line)?.record;
      if (this.#isExtra(kind, line)) continue;
      lines.push(line);
      if (kind === 'round') {
        this.rounds.push(lines);
        lines = [];
      }
    }
    if (lines.length) this.rounds.push(lines);
    this.at = -1;
  }

  // What was known at the end of the run, beside the rows.
  #isExtra(kind, line) {
    if (kind === 'log') this.logs.push(parsed(line));
    else if (kind === 'stacks') this.stacks = parsed(line)?.text ?? '';
    else if (kind === 'settings') this.settings = parsed(line)?.settings ?? null;
    else if (kind === 'recording') this.about = parsed(line);
    else return false;
    return true;
  }

  /** Returns the recording in this page, or null if it is a live one. */
  static ofPage() {
    const element = document.getElementById('recording');
    return element ? new Recording(element.textContent) : null;
  }

  /** Gives a model all records up to a round; `renew` makes an empty model if time goes back. */
  seek(round, model, renew) {
    const wanted = Math.max(0, Math.min(round, this.rounds.length - 1));
    let shown = model;
    if (wanted < this.at) {
      shown = renew();
      this.at = -1;
    }
    while (this.at < wanted) {
      for (const line of this.rounds[++this.at]) {
        const record = parsed(line);
        if (record) shown.apply(record);
      }
    }
    return shown;
  }
}

function parsed(line) {
  try {
    const record = JSON.parse(line);
    return record !== null && typeof record === 'object' && typeof record.record === 'string' ? record : null;
  } catch {
    return null; // a foreign line must not end the page
  }
}

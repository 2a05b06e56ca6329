// The frame of the page: the run, the open view, its address, and the source of records.

import { act, ask, askJson, mayAct, takeTokens } from './api.js';
import { onScheme } from './colour.js';
import { button, el, fill, notice, setAttribute, setText } from './dom.js';
import { programName, sentence, time } from './format.js';
import { health } from './health.js';
import { icon } from './icons.js';
import { Model } from './model.js';
import { Past } from './moments.js';
import { LiveStream, readPast, Recording } from './stream.js';
import { now } from './views/now.js';
import { nodes } from './views/nodes.js';
import { jobs } from './views/jobs.js';
import { groups } from './views/groups.js';
import { objects } from './views/objects.js';
import { profile } from './views/profile.js';
import { futures } from './views/futures.js';
import { failures } from './views/failures.js';
import { events } from './views/events.js';
import { logs } from './views/logs.js';
import { stacks } from './views/stacks.js';
import { settings } from './views/settings.js';
import { about } from './views/about.js';
import { actions } from './views/actions.js';
import { runs } from './views/runs.js';

/*
 * Design: views.
 *
 * A view is {id, title, key, make}. `make` takes the context and returns {element, update, close}: `update` is called after a round
 * if the view is open, the page is visible and the display is not paused. So only the open view costs anything, but for the past of the map, which is kept in each round. The address of a view is the fragment
 * '#/id?parameters'; a view reads and writes its parameters by `context.store`, so that an address leads to the same rows again.
 *
 * Views of many lines are not part of the first load of the page: their files come with them, or after the first picture, as a run that is over may
 * have taken the server with it by the time at which they are opened. Their titles and keys are here, the rest is in their files.
 */
const later = (id, title, key, load) => ({ id, title, key, load });
const map = later('map', 'Map', 'm', () => import('./views/map.js'));
const panels = later('panels', 'Panels', 'd', () => import('./views/panels.js'));
const traffic = later('traffic', 'Traffic', 't', () => import('./views/traffic.js'));
const calls = later('calls', 'Calls over time', 'c', () => import('./views/calls.js'));
const waits = later('waits', 'Waits', 'w', () => import('./views/waits.js'));
const SECTIONS = [
  ['Overview', [now, map, panels]],
  ['Grid', [nodes, jobs, traffic, groups]],
  ['Work', [objects, calls, waits, futures, profile]],
  ['Trouble', [failures, events, logs, stacks]],
  ['More', [settings, actions, about]],
];
const VIEWS = new Map([...SECTIONS.flatMap(([, views]) => views), runs].map(view => [view.id, view]));

const PLAY_MILLIS = 500;
const LONGEST_PAUSE_MILLIS = 60_000;
const MOST_NODES_WITH_PAST = 64; // of more nodes it would be tens of megabytes

const UNHEARD = new Set(['silent', 'waiting', 'lost', 'refused']); // states in which no report comes

const $ = id => document.getElementById(id);

class Page {
  #isPaused = false;
  #isDue = false;
  #isLoading = false;
  #view = null;
  #links = new Map();
  #health = { level: 'good', sentence: '', items: [] };
  #source = { state: 'starting', text: '' };
  #heardMillis = 0; // when the last round came
  #costs = { applyMillis: 0, drawMillis: 0, rounds: 0 };

  constructor() {
    this.model = new Model();
    this.past = new Past();
    this.recording = Recording.ofPage();
    this.run = '';
    this.stream = null;
  }

  async start() {
    if (!this.recording) takeTokens();
    this.#makeNavigation();
    window.addEventListener('hashchange', () => this.#route());
    window.addEventListener('resize', () => this.#schedule());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.stream?.hurry();
      this.#schedule();
    });
    document.addEventListener('keydown', event => this.#press(event));
    onScheme(() => this.#reopen());
    $('pause').addEventListener('click', () => this.#pause());
    $('skip').addEventListener('click', event => {
      event.preventDefault();
      $('content').focus();
    });
    $('slider').addEventListener('input', () => this.#seek(Number($('slider').value)));
    $('play').addEventListener('click', () => this.#play());
    if (this.recording) {
      $('brand').removeAttribute('href');
      this.#startRecording();
    } else await this.#startLive();
  }

  // ---- live

  async #startLive(trials = 1) {
    const wanted = new URLSearchParams(location.search).get('run');
    this.runs = [];
    try {
      const answer = await askJson('runs');
      this.runs = Array.isArray(answer) ? answer : answer.runs ?? [];
    } catch (error) {
      this.#tell(error.status === 401 || error.status === 403 ? 'refused' : 'waiting', error.message);
      setText($('run'), 'No connection');
      fill($('content'), notice(error.message, 'The page tries again by itself.'));
      if (error.status !== 401 && error.status !== 403) setTimeout(() => this.#startLive(trials + 1), Math.min(LONGEST_PAUSE_MILLIS, 1500 * 2 ** Math.min(trials, 6)));
      return;
    }
    const chosen = wanted ?? (this.runs.length === 1 ? idOf(this.runs[0]) : null);
    if (chosen) this.open(chosen);
    else {
      setText($('run'), 'Runs');
      this.#tell('ended', '');
      $('link').hidden = $('nav').hidden = $('pause').hidden = true; // there is nothing to view yet
      location.hash = '#/runs';
      this.#route();
    }
  }

  /** Shows a run. */
  open(run) {
    this.stream?.stop();
    this.stream = null;
    this.recording = null;
    if (this.player) this.#play();
    $('player').hidden = true;
    $('pause').hidden = false;
    this.run = run;
    this.model = new Model();
    this.past = new Past();
    this.#tell('starting', '');
    $('link').hidden = $('nav').hidden = false;
    setText($('run'), run);
    const address = new URL(location.href);
    address.searchParams.set('run', run);
    if (address.hash.startsWith('#/runs')) address.hash = '#/now';
    history.replaceState(null, '', address);
    if (this.runs.some(each => idOf(each) === run && each.isRunning === false)) return this.#openRecorded(run);
    this.stream = new LiveStream(run, record => this.#take(record), (state, text) => this.#tell(state, text));
    this.stream.start();
    this.#route();
  }

  async #openRecorded(run) {
    try {
      const recording = new Recording(await (await ask('watch', { run })).text());
      if (this.run !== run || this.stream) return; // the reader has chosen another one meanwhile
      this.recording = recording;
      this.#startRecording();
    } catch (error) {
      if (this.run === run && !this.stream) this.#tell('ended', error.message);
    }
  }

  #take(record) {
    const begun = performance.now();
    const isEnd = this.model.apply(record);
    if (isEnd) this.past.add(this.model);
    this.#costs.applyMillis += performance.now() - begun;
    if (isEnd) {
      this.#heardMillis = Date.now();
      this.#costs.rounds++;
      if (this.model.rounds === 1 && this.model.nodes.size <= MOST_NODES_WITH_PAST) readPast(this.run, this.model).then(() => this.#schedule());
      this.#judge();
      this.#schedule();
      if (document.hidden || this.#isPaused) this.#loadViews();
    }
    return isEnd;
  }

  // ---- recorded

  #startRecording() {
    $('player').hidden = false;
    $('pause').hidden = true;
    $('slider').max = String(this.recording.rounds.length - 1);
    this.#tell('recorded', '');
    if (this.recording.rounds.length) this.#seek(this.recording.rounds.length - 1);
    this.#route();
  }

  #seek(round) {
    this.model = this.recording.seek(round, this.model, () => new Model());
    $('slider').value = String(round);
    setAttribute($('slider'), 'aria-valuetext', time(this.model.now, true));
    setText($('moment'), time(this.model.now, true));
    this.#judge();
    this.#schedule();
  }

  #play() {
    if (this.player) {
      clearInterval(this.player);
      this.player = null;
    } else {
      if (this.recording.at >= this.recording.rounds.length - 1) this.#seek(0);
      this.player = setInterval(() => this.recording.at < this.recording.rounds.length - 1 ? this.#seek(this.recording.at + 1) : this.#play(), PLAY_MILLIS);
    }
    setText($('play'), this.player ? 'Stop' : 'Play');
  }

  // ---- state

  #tell(state, text) {
    const texts = { live: 'live', polling: 'live (polling)', silent: 'no answer', starting: 'connecting', waiting: 'reconnecting', lost: 'no answer', ended: 'ended', refused: 'refused', recorded: 'recording' };
    if (state === 'ended' && this.stream?.hasReport) {
      this.stream = null;
      this.#openRecorded(this.run);
      return;
    }
    const link = $('link');
    setText(link, texts[state] ?? state);
    link.dataset.state = state;
    setAttribute(link, 'title', text);
    if (state === 'refused') fill($('content'), notice('No access', text));
    if (state === 'ended' && text && this.model.rounds === 0) fill($('content'), notice('No such run is running', text));
    if (state === this.#source.state && text === this.#source.text) return;
    this.#source = { state, text };
    this.#judge();
    this.#schedule();
  }

  #judge() {
    this.#health = this.#withSource(health(this.model));
    const line = $('health');
    setText(line, this.#health.sentence);
    setAttribute(line, 'title', this.#health.sentence);
    setText($('announced'), this.#health.announced);
    line.dataset.level = this.#health.level;
    const begin = this.model.begin;
    if (begin) {
      setText($('run'), programName(begin.program || begin.id || this.run) || begin.id);
      setAttribute($('run'), 'title', begin.program + ' · ' + begin.id);
      document.title = (['good', 'ended'].includes(this.#health.level) ? '' : '! ') + $('run').textContent + ' · Troupe';
    }
    const tiers = new Set([...this.model.nodes.values()].map(node => node.load?.observed).filter(Boolean));
    $('tier').hidden = tiers.size === 0;
    setText($('tier'), 'tier: ' + [...tiers].join(', '));
    this.#badge('failures', this.model.counted.failures);
    this.#badge('waits', this.model.cycles.size);
  }

  // What is shown of a run that has ended, or of which no report comes any more, is its last report.
  #withSource(judged) {
    const about = this.recording?.about;
    if (about?.reason) {
      const wasAsked = about.reason.startsWith('asked for');
      const item = {
        level: wasAsked ? 'note' : 'trouble', what: 'Report of ' + time(about.takenMillis, true) + ': ' + about.reason, remedy: '', link: wasAsked ? '#/about' : '#/logs',
        why: about.leftOut > 0 ? about.leftOut + ' rows did not fit.' : '',
      };
      return { ...judged, level: wasAsked ? judged.level : 'trouble', items: wasAsked ? [...judged.items, item] : [item, ...judged.items] };
    }
    const { state, text } = this.#source;
    if (UNHEARD.has(state)) return this.#unheard(judged, text);
    if (this.model.rounds === 0) return { ...judged, sentence: '', announced: '' };
    if (state !== 'ended') return judged;
    const item = { level: 'note', what: 'The run has ended', why: 'The page shows its last report.', remedy: 'If the program has failed, the list of runs has its report.', link: '#/runs' };
    const ended = text => 'The run has ended. Its last report: ' + text;
    return { level: judged.level === 'good' ? 'ended' : judged.level, sentence: ended(judged.sentence), announced: ended(judged.announced), items: [item, ...judged.items] };
  }

  #unheard(judged, text) {
    const why = sentence(text), level = judged.level === 'trouble' ? 'trouble' : 'attention';
    if (this.model.rounds === 0) return { level, sentence: why, announced: why, items: [] };
    const since = 'No report since ' + time(this.#heardMillis), remark = 'What is shown is the last report.';
    const item = { level: 'attention', what: since, why, remedy: remark, link: '#/about' };
    const said = `${since}. ${why} `;
    return { level, sentence: said + 'The last report: ' + judged.sentence, announced: said + remark, items: [item, ...judged.items] };
  }

  #badge(id, number) {
    const badge = this.#links.get(id).querySelector('.badge');
    badge.hidden = number === 0;
    setText(badge, number > 999 ? '999+' : String(number));
  }

  #pause() {
    this.#isPaused = !this.#isPaused;
    $('pause').setAttribute('aria-pressed', String(this.#isPaused));
    setText($('pause'), this.#isPaused ? 'Continue' : 'Pause');
    this.#schedule();
  }

  #schedule() {
    if (this.#isDue || this.#isPaused || document.hidden) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  #draw() {
    if (!this.#view || (this.model.rounds === 0 && !this.#view.isIndependent)) return;
    const begun = performance.now();
    this.#view.update?.();
    this.#costs.drawMillis = 0.8 * this.#costs.drawMillis + 0.2 * (performance.now() - begun);
    this.#loadViews();
  }

  // Loads the views that come later: once, after the first picture, or at once where none is drawn.
  #loadViews() {
    if (!this.#isLoading) for (const view of VIEWS.values()) completed(view).catch(() => {}); // opening the view tells
    this.#isLoading = true;
  }

  // ---- views

  #makeNavigation() {
    fill($('nav'), SECTIONS.map(([title, views]) => el('section', {}, el('h2', {}, title), el('ul', {}, views.map(view => el('li', {}, this.#link(view)))))));
  }

  #link(view) {
    const link = el('a', { href: '#/' + view.id, title: view.key ? 'Key: g ' + view.key : false },
      icon(view.id), view.title, el('span', { class: 'badge', hidden: true }));
    this.#links.set(view.id, link);
    return link;
  }

  #route() {
    if (!this.recording && new URLSearchParams(location.hash.slice(1)).has('token')) {
      location.reload(); // another address of the page, which a browser does not load by itself
      return;
    }
    const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
    const view = VIEWS.get(path) ?? now;
    if (!this.run && !this.recording && view !== runs) return;
    this.#view?.close?.();
    this.#view = null;
    this.#mark(view);
    if (view.load) {
      this.#load(view);
      return;
    }
    const store = new Store(view.id, query);
    const page = this;
    const context = {
      get model() { return page.model; },
      get past() { return page.past; },
      get health() { return page.#health; },
      get costs() { return page.#costs; },
      get run() { return page.run; },
      get runs() { return page.runs ?? []; },
      set runs(list) { page.runs = list; },
      get stream() { return page.stream; },
      recording: this.recording,
      mayAct: this.recording === null && mayAct(),
      store,
      open: run => this.open(run),
      redraw: () => this.#schedule(),
      confirm: options => confirmed(options),
    };
    this.#view = { ...made(view, context), isIndependent: view.isIndependent };
    fill($('content'), el('div', { class: 'view view-' + view.id }, el('h2', { class: 'title' }, view.title), view.about ? el('p', { class: 'about lead' }, view.about) : null, this.#view.element));
    this.#draw();
    this.#schedule();
  }

  #mark(view) {
    for (const [id, link] of this.#links) {
      if (id === view.id) {
        link.setAttribute('aria-current', 'page');
        link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      } else link.removeAttribute('aria-current');
    }
  }

  // Opens a view when its file is there, unless the reader has chosen another one by then.
  async #load(view) {
    const { hash } = location, loading = el('p', { class: 'empty' }, 'Loading the view.'), isWanted = () => loading.isConnected && location.hash === hash;
    fill($('content'), loading);
    try {
      await completed(view);
      if (isWanted()) this.#route();
    } catch (error) {
      if (isWanted()) fill($('content'), notice('The view cannot be loaded', 'Its file did not come. Load the page again when the dashboard answers. ' + error.message));
    }
  }

  #reopen() {
    this.#route();
  }

  // 'g' and a letter open a view; space pauses; '/' finds.
  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea, dialog[open]')) return;
    if (this.awaitsLetter) {
      this.awaitsLetter = false;
      const view = [...VIEWS.values()].find(each => each.key === event.key);
      if (view) {
        location.hash = '#/' + view.id;
        event.preventDefault();
      }
    } else if (event.key === 'g') this.awaitsLetter = true;
    else if (event.key === ' ' && !event.target.closest('button, a, tr, summary, canvas, pre, .log, [role=button]') && !this.recording) {
      this.#pause();
      event.preventDefault();
    } else if (event.key === '/') {
      document.querySelector('main input[type=search]')?.focus();
      event.preventDefault();
    }
  }
}

/** The parameters of a view in the address. */
class Store {
  constructor(view, query) {
    this.view = view;
    this.parameters = new URLSearchParams(query ?? '');
  }

  get(name) { return this.parameters.get(name); }
  has(name) { return this.parameters.has(name); }

  set(name, value) {
    if (value === '' || value === null || value === undefined) this.parameters.delete(name);
    else this.parameters.set(name, value);
    history.replaceState(null, '', '#/' + this.view + (this.parameters.size ? '?' + this.parameters : ''));
  }
}

const idOf = run => run.id;

// Completes a view whose file is loaded later.
async function completed(view) {
  if (view.load) Object.assign(view, (await view.load())[view.id], { load: null });
}

// A defect of one view must not end the page.
function made(view, context) {
  try {
    return view.make(context);
  } catch (error) {
    reportError(error);
    return { element: notice('This view has failed', String(error.message)) };
  }
}

// Asks for the name of what is to be changed before it is changed.
function confirmed({ title, text, name, path, parameters }) {
  const dialog = $('dialog');
  const input = el('input', { type: 'text', autocomplete: 'off', 'aria-label': 'Name', oninput: () => { go.disabled = input.value !== name; } });
  const said = el('p', { class: 'said', role: 'alert' });
  const leave = button('Do nothing', () => dialog.close());
  const go = button(title, async () => {
    go.disabled = input.disabled = true;
    setText(said, 'Waiting for an answer.');
    try {
      setText(said, await act(path, parameters));
      setText(leave, 'Close');
      leave.focus();
    } catch (error) {
      setText(said, error.message);
      go.disabled = input.disabled = false;
    }
  }, { class: 'danger', disabled: true });
  fill(dialog, el('h2', { id: 'dialogTitle' }, title), el('p', {}, text),
    el('p', {}, 'Type ', el('code', {}, name), ' to confirm.'), input, said, el('div', { class: 'buttons' }, leave, go));
  dialog.showModal();
}

new Page().start();

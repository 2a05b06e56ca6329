// The elements of the descriptor: what was asked of a batch system, and what it says.

import { el, fill, setText, styled } from '../dom.js';
import { bytes, duration, plural, time, whole } from '../format.js';
import { facts, link } from './parts.js';

const LEVELS = { planned: 'starting', submitting: 'starting', queued: 'silent', held: 'silent', running: 'joined', suspended: 'silent', ended: 'starting', failed: 'ended' };
const STEPS = ['planned', 'submitting', 'queued', 'running', 'ended'];

export const jobs = {
  id: 'jobs', title: 'Jobs', key: 'j', about: 'What each infrastructure element of the descriptor has asked for, and the state of it in the words of the batch system.',
  make(context) {
    const cards = new Map(), list = el('div', { class: 'jobs' });
    let isEmpty = null;
    return {
      element: list,
      update() {
        const { model } = context;
        const rows = model.jobs.size ? [...model.jobs.values()] : elements(model);
        if (isEmpty !== (rows.length === 0)) {
          isEmpty = rows.length === 0;
          fill(list, isEmpty ? el('div', { class: 'empty' }, el('strong', {}, 'No infrastructure element'), el('p', {}, 'The run consists of the program alone.')) : null);
        }
        for (const row of rows) {
          const key = row.element + '\t' + row.first;
          let card = cards.get(key);
          if (!card) {
            cards.set(key, card = new JobCard());
            list.append(card.element);
          }
          card.update(row, model.now);
        }
      },
    };
  },
};

// Of a program that sends no rows of jobs: what its nodes tell of their elements.
function elements(model) {
  const found = new Map();
  for (const node of model.nodes.values()) {
    if (node.isProgram) continue;
    const { element } = node.row;
    const row = found.get(element) ?? { element, first: 0, id: element, system: '', state: 'ended', reason: '', jvms: 0, joined: 0, output: [] };
    row.jvms++;
    if (node.row.state === 'joined') row.joined++;
    if (node.row.state === 'starting') row.reason ||= node.row.detail;
    row.state = row.joined ? 'running' : node.row.state === 'starting' ? 'queued' : row.state;
    found.set(element, row);
  }
  return [...found.values()];
}

class JobCard {
  constructor() {
    this.title = el('h3', {});
    this.chip = el('span', { class: 'chip state' });
    this.steps = el('ol', { class: 'steps', 'aria-label': 'Course of the job' });
    this.reason = el('p', { class: 'reason' });
    this.facts = el('div', {});
    this.limit = el('div', { class: 'limit' }, el('span', { class: 'fill' }));
    this.limitText = el('p', { class: 'soft' });
    this.more = el('div', {});
    this.element = el('section', { class: 'panel job' }, el('header', {}, this.title, this.chip), this.steps, this.reason, this.limit, this.limitText, this.facts, this.more);
    this.shown = '';
  }

  update(row, now) {
    const left = row.startMillis > 0 && row.limitSeconds > 0 && !(row.endMillis > 0) ? row.startMillis / 1000 + row.limitSeconds - now / 1000 : NaN;
    this.limit.hidden = this.limitText.hidden = !Number.isFinite(left);
    if (Number.isFinite(left)) {
      styled(this.limit.firstElementChild, { width: Math.max(0, Math.min(1, 1 - left / row.limitSeconds)) * 100 + '%' });
      this.limit.dataset.level = left < 300 ? 'bad' : left < row.limitSeconds / 10 ? 'warn' : '';
      setText(this.limitText, left > 0 ? duration(left) + ' left of ' + duration(row.limitSeconds) : 'The time limit of ' + duration(row.limitSeconds) + ' is over.');
    }
    const key = JSON.stringify(row);
    if (key === this.shown) {
      if (row.state === 'queued' && row.submitMillis > 0) setText(this.reason, this.#reason(row, now));
      return;
    }
    this.shown = key;
    setText(this.title, (row.id || 'element ' + row.element) + (row.job ? ' · job ' + row.job : ''));
    setText(this.chip, row.state);
    this.chip.dataset.state = LEVELS[row.state] ?? 'starting';
    const at = STEPS.indexOf({ held: 'queued', suspended: 'running', failed: 'ended' }[row.state] ?? row.state);
    fill(this.steps, STEPS.map((step, i) => el('li', { class: i < at ? 'done' : i === at ? 'now' : false, 'aria-current': i === at ? 'step' : false }, step)));
    setText(this.reason, this.#reason(row, now));
    fill(this.facts, facts([
      ['System', row.system], ['JVMs', whole(row.joined) + ' of ' + whole(row.jvms) + ' joined'],
      ['Machines', row.nodesAsked ? (row.nodesGranted >= 0 ? whole(row.nodesGranted) + ' of ' : '') + whole(row.nodesAsked) + (row.nodesGranted >= 0 ? ' granted' : ' asked for') : ''],
      ['Submitted', row.submitMillis > 0 ? time(row.submitMillis, true) : ''], ['Started', row.startMillis > 0 ? time(row.startMillis, true) : ''], ['Ended', row.endMillis > 0 ? time(row.endMillis, true) : ''],
      ['In the queue', row.submitMillis > 0 && row.startMillis > 0 ? duration((row.startMillis - row.submitMillis) / 1000) : ''],
      ['Staging', row.stagedFiles || row.cachedFiles ? plural(row.stagedFiles, 'file') + ' (' + bytes(row.stagedBytes) + ') in ' + duration(row.stagingSeconds) + ', ' + whole(row.cachedFiles) + ' in the cache' : ''],
      ['Descriptor', row.element],
    ]));
    fill(this.more,
      row.command ? el('details', {}, el('summary', {}, 'Command or script'), el('pre', { class: 'text' }, row.command)) : null,
      row.output?.length ? el('details', { open: row.state === 'failed' }, el('summary', {}, 'Last output'), el('pre', { class: 'text' }, row.output.join('\n'))) : null,
      link('Nodes of this element', 'nodes', { find: row.element }));
  }

  #reason(row, now) {
    const since = row.state === 'queued' && row.submitMillis > 0 ? ' For ' + duration(Math.max(0, Math.round((now - row.submitMillis) / 1000))) + ' in the queue.' : '';
    return (row.reason ? row.reason + (/[.!?]$/.test(row.reason) ? '' : '.') : '') + since;
  }
}

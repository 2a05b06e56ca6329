// Futures: results that have not arrived, and those that nodes owe to others, asked of all nodes.

import { askJson } from '../api.js';
import { button, el, notice, setText } from '../dom.js';
import { duration, plural, shortFrame, shortMethod } from '../format.js';
import { Table } from '../table.js';
import { paintLink, paintState, paintType, tabs } from './parts.js';

const object = (id, title, value) => ({ id, title, kind: 'code', value, paint: (cell, row) => paintLink(cell, value(row), 'waits', { object: value(row) }) });
const node = (id, title, value) => ({ id, title, value, paint: (cell, row) => paintLink(cell, value(row), 'nodes', { node: value(row) }) });

const PENDING = [
  { id: 'method', title: 'Call', kind: 'code', value: row => row.method, show: row => shortMethod(row.method), full: row => row.method },
  { id: 'type', title: 'Class', value: row => row.type, paint: (cell, row) => paintType(cell, row.type) },
  object('object', 'Of', row => row.object),
  node('node', 'Computed on', row => row.node),
  { id: 'age', title: 'Age', isNumber: true, help: 'At most: no clock is read when a call is made', value: row => row.seconds, show: row => duration(row.seconds) },
  { id: 'awaited', title: 'Awaited', value: row => row.isAwaited ? 'awaited' : 'not yet', paint: (cell, row) => paintState(cell, row.isAwaited ? 'awaited' : 'not yet', row.isAwaited ? 'silent' : 'joined') },
  object('madeBy', 'Made by', row => row.madeBy),
  node('madeOn', 'Made on', row => row.madeOn),
  { id: 'line', title: 'Line', kind: 'code folds', isName: true, value: row => row.line, show: row => shortFrame(row.line) || '–', full: row => row.line },
];
const OWED = [
  { id: 'future', title: 'Future', kind: 'wide', value: row => row.future },
  node('node', 'Owed by', row => row.node),
  node('to', 'Owed to', row => row.to),
];

export const futures = {
  id: 'futures', title: 'Futures', key: 'r', isIndependent: true,
  about: 'Results of calls to other nodes that have not arrived, the oldest first, and futures that were passed on to other nodes. Calls within a JVM are not listed.',
  make(context) {
    if (context.recording) return { element: notice('A recording cannot be asked.', 'A running program lists its futures.') };
    let answer = { pending: [], owed: [], more: 0, silent: [] }, table, controller;
    const place = el('div', {}), info = el('p', { class: 'hint', role: 'status' });
    const refresh = () => table.update((table.isOwed ? answer.owed : answer.pending).map((row, i) => ({ ...row, i })));
    const show = tab => {
      table?.close();
      table = new Table({
        name: tab, caption: tab === 'owed' ? 'Futures that were passed on' : 'Results that have not arrived', columns: tab === 'owed' ? OWED : PENDING, key: row => String(row.i),
        sort: tab === 'owed' ? 'future' : 'age', store: context.store, empty: tab === 'owed' ? 'No node owes another one a value.' : 'No result is pending.',
      });
      table.isOwed = tab === 'owed';
      place.replaceChildren(table.element);
      refresh();
    };
    const ask = async () => {
      controller?.abort();
      controller = new AbortController();
      try {
        answer = await askJson('futures', { run: context.run }, controller.signal);
        setText(info, [plural(answer.pending.length, 'pending result'), plural(answer.owed.length, 'owed value'),
          answer.more > 0 ? plural(answer.more, 'more future') + ' not listed' : '', answer.silent.length ? 'no answer from ' + answer.silent.join(', ') : ''].filter(Boolean).join('; ') + '.');
        refresh();
      } catch (error) {
        if (error.name !== 'AbortError') setText(info, error.message);
      }
    };
    const choices = tabs(context.store, [['pending', 'Pending'], ['owed', 'Owed to other nodes']], show);
    show(choices.chosen);
    ask();
    return {
      element: el('div', {}, choices.element, el('div', { class: 'bar' }, button('Ask again', ask), info), place),
      close() {
        controller?.abort();
        table.close();
      },
    };
  },
};

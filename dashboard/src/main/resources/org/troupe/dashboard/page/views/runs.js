// The runs of this user on this machine.

import { askJson } from '../api.js';
import { el } from '../dom.js';
import { time } from '../format.js';
import { Table } from '../table.js';
import { paintState } from './parts.js';

const idOf = run => run.id;
const stateOf = run => run.isRunning === false ? 'ended' : 'running';

const COLUMNS = [
  { id: 'id', title: 'Run', value: idOf },
  { id: 'program', title: 'Program', kind: 'code wide', value: run => run.program ?? '' },
  { id: 'state', title: 'State', value: stateOf, paint: (cell, run) => paintState(cell, stateOf(run), stateOf(run) === 'running' ? 'joined' : 'starting') },
  { id: 'started', title: 'Started', isNumber: true, value: run => run.startedMillis ?? NaN, show: run => time(run.startedMillis, true) },
  { id: 'file', title: 'Recording', kind: 'code wide', value: run => run.file ?? '', show: run => run.file || '–' },
];

export const runs = {
  id: 'runs', title: 'Runs', isIndependent: true, about: 'The runs of this user on this machine. Choose one.',
  make(context) {
    const table = new Table({ name: 'runs', caption: 'Runs', columns: COLUMNS, key: idOf, sort: 'started', store: context.store, open: run => context.open(idOf(run)), empty: 'No run is there. Start one, and load this page again.' });
    askJson('runs').then(list => {
      context.runs = list;
      table.update(list);
    }, () => table.update([]));
    return { element: el('div', {}, table.element), update: () => table.update(context.runs) };
  },
};

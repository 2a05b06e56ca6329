// The runs of this user on this machine.

import { askJson } from '../api.js';
import { el, setText } from '../dom.js';
import { time, whole } from '../format.js';
import { Table } from '../table.js';
import { paintState } from './parts.js';

const idOf = run => run.id;
const stateOf = run => run.isRunning === false ? 'ended' : 'running';

// Running ones precede ended ones, as their words do in descending order.
const COLUMNS = [
  { id: 'id', title: 'Run', value: idOf },
  { id: 'program', title: 'Program', kind: 'code wide', value: run => run.program ?? '' },
  { id: 'state', title: 'State', value: stateOf, paint: (cell, run) => paintState(cell, stateOf(run), stateOf(run) === 'running' ? 'joined' : 'starting') },
  { id: 'started', title: 'Started', isNumber: true, value: run => run.startedMillis ?? NaN, show: run => time(run.startedMillis, true) },
  { id: 'file', title: 'Recording', kind: 'code wide', value: run => run.file ?? '', show: run => run.file || '–' },
];

export const runs = {
  id: 'runs', title: 'Runs', isIndependent: true, about: 'The runs of this user on this machine, and the reports of those that have failed.',
  make(context) {
    const said = el('p', { class: 'answer', role: 'status' });
    const table = new Table({ name: 'runs', caption: 'Runs', columns: COLUMNS, key: idOf, sort: 'state', thenBy: 'started', store: context.store, open: run => context.open(idOf(run)), empty: 'No run is there. Start one, and load this page again.' });
    const update = () => {
      setText(said, choiceAmong(context.runs));
      table.update(context.runs);
    };
    askJson('runs').then(list => {
      context.runs = list;
      update();
    }, error => setText(said, error.message));
    return { element: el('div', {}, said, table.element), update };
  },
};

// Why the page shows a list instead of a run.
function choiceAmong(runs) {
  if (runs.length === 0) return '';
  const running = runs.filter(run => stateOf(run) === 'running').length, ended = runs.length - running;
  const going = running === 0 ? 'No run goes on now' : running === 1 ? 'One run goes on' : whole(running) + ' runs go on';
  return going + (ended ? ', and ' + whole(ended) + (ended === 1 ? ' has' : ' have') + ' ended' : '') + '. Choose the one to be shown.';
}

// With which settings the run runs, and where each comes from.

import { askJson } from '../api.js';
import { el, fill, notice, panel } from '../dom.js';
import { anything, capital, words } from '../format.js';
import { Table } from '../table.js';
import { facts } from './parts.js';

const COLUMNS = [
  { id: 'name', title: 'Name', kind: 'code', value: row => row.name },
  { id: 'value', title: 'Value', kind: 'code wide', value: row => row.value },
  { id: 'origin', title: 'From', value: row => row.origin, show: row => row.origin || '–' },
];

export const settings = {
  id: 'settings', title: 'Settings', key: 's', isIndependent: true, about: 'The values of the descriptor and the properties with which this run was started, and where each comes from. Secrets are hidden.',
  make(context) {
    const box = el('div', {}, notice('Asking for the settings.'));
    let isAsked = false;
    const ask = async () => {
      try {
        show(box, await askJson('settings', { run: context.run }));
      } catch (error) {
        fill(box, notice('The settings are not known', error.message));
      }
    };
    return {
      element: box,
      update() {
        if (isAsked) return;
        isAsked = true;
        if (context.recording?.settings) show(box, context.recording.settings);
        else if (context.recording) fill(box, notice('The recording has no settings.'));
        else ask();
      },
    };
  },
};

const isList = value => Array.isArray(value) && value.some(each => each !== null && typeof each === 'object');

function show(box, answer) {
  const plain = Object.entries(answer).filter(([name, value]) => name !== 'record' && !isList(value) && typeof value !== 'object' || (Array.isArray(value) && value.length && !isList(value)));
  const nested = Object.entries(answer).filter(([, value]) => value !== null && !Array.isArray(value) && typeof value === 'object');
  const lists = Object.entries(answer).filter(([, value]) => isList(value));
  fill(box,
    plain.length ? panel('The program', '', facts(plain.map(([name, value]) => [capital(words(name)), el('code', {}, anything(value))]))) : null,
    lists.map(([name, rows]) => list(name, rows)),
    nested.map(([name, value]) => list(name, Object.entries(value).map(([key, each]) => ({ name: key, value: anything(each), origin: '' })))));
}

function list(name, rows) {
  const table = new Table({
    name: 'settings-' + name, caption: capital(words(name)), columns: COLUMNS, key: row => row.key, sort: 'name', isDescending: false, page: 25,
  });
  table.update(rows.map((row, i) => ({ key: i + '', name: row.name ?? String(i), value: anything('value' in row ? row.value : row), origin: row.origin ?? '' })));
  return panel(capital(words(name)), '', table.element);
}

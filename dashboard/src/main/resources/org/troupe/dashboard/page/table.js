// A table of many rows: sorted, filtered, by pages, with keys, and updated in place.

import { button, download, el, fill, setAttribute, setName, setText } from './dom.js';
import { byName, whole } from './format.js';

const PAGE = 50;

/*
 * Design: only the rows of the page exist as elements. A column is {id, title, help, value, show, paint, isNumber, isName, isExtra}: `value` sorts and
 * goes into files, `show` is the text of a cell (the value as text by default; with `isName` it breaks between the words of a name), `paint` fills a cell by elements instead. Rows are told apart by `key`;
 * their elements are kept and moved, so an update changes only texts that differ. Equal rows are in the order of the column `thenBy`, the largest first. The detail of an open row is made once by `detail` and has an `update`. A narrow page leaves out columns with `isExtra`.
 * Arrow keys move between rows; Enter opens one.
 */
export class Table {
  constructor({ name, caption, columns, key, sort, thenBy, isDescending = true, detail, search, open, empty = 'Nothing matches.', store, page = PAGE, tools = [] }) {
    Object.assign(this, { name, columns, key, thenBy: columns.find(each => each.id === thenBy), detail, search, openRow: open, empty, store, pageSize: page });
    this.sortBy = store?.get('sort') ?? sort ?? columns[0].id;
    this.isDescending = store?.has('sort') ? store.get('order') !== 'up' : isDescending;
    this.filter = store?.get('find') ?? '';
    this.page = 0;
    this.rows = [];
    this.elements = new Map();
    this.opened = new Map(); // details by key
    this.#build(caption, tools);
  }

  #build(caption, tools) {
    this.input = el('input', {
      type: 'search', class: 'find', placeholder: 'Find', 'aria-label': 'Find in ' + caption, value: this.filter, oninput: () => this.#find(),
    });
    this.info = el('span', { class: 'info', role: 'status' });
    this.earlier = button('‹', () => this.#turn(-1), { 'aria-label': 'Earlier page', class: 'quiet' });
    this.later = button('›', () => this.#turn(1), { 'aria-label': 'Later page', class: 'quiet' });
    const csv = button('CSV', () => this.#save(), { class: 'quiet', title: 'Save all rows that match as a file' });
    this.heads = new Map();
    const head = el('tr', {}, this.columns.map(column => this.#head(column)));
    this.body = el('tbody', { onkeydown: event => this.#move(event) });
    this.table = el('table', { class: 'data', id: this.name },
      el('caption', { class: 'unseen' }, caption), el('thead', {}, head), this.body);
    this.element = el('div', { class: 'tableBox' },
      el('div', { class: 'bar' }, this.input, tools, el('span', { class: 'grow' }), this.info, this.earlier, this.later, csv),
      el('div', { class: 'scroll', tabindex: '-1' }, this.table));
  }

  #head(column) {
    const sorter = button(column.title, () => this.#sort(column), { title: column.help });
    const cell = el('th', { scope: 'col', class: classes(column.isNumber && 'number', column.isExtra && 'extra') }, sorter);
    this.heads.set(column.id, cell);
    return cell;
  }

  /** Shows rows; call it again whenever they or their values have changed. */
  update(rows) {
    this.rows = Array.isArray(rows) ? rows : [...rows];
    this.#show();
  }

  /** Opens the row with a key, and the page it is on. */
  reveal(key) {
    const at = this.#matching().findIndex(row => this.key(row) === key);
    if (at < 0) return false;
    this.page = Math.floor(at / this.pageSize);
    this.#show();
    const row = this.elements.get(key);
    if (row && this.detail && !this.opened.has(key)) this.#toggle(row);
    row?.scrollIntoView({ block: 'nearest' });
    row?.focus({ preventScroll: true });
    return true;
  }

  #find() {
    this.filter = this.input.value;
    this.page = 0;
    this.store?.set('find', this.filter);
    this.#show();
  }

  #sort(column) {
    this.isDescending = this.sortBy === column.id ? !this.isDescending : column.isNumber === true;
    this.sortBy = column.id;
    this.page = 0;
    this.store?.set('sort', this.sortBy);
    this.store?.set('order', this.isDescending ? 'down' : 'up');
    this.#show();
  }

  #turn(by) {
    this.page += by;
    this.#show();
  }

  #textOf(row) {
    return this.search ? this.search(row) : this.columns.map(column => column.value(row)).join(' ');
  }

  #matching() {
    const wanted = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = wanted.length === 0 ? [...this.rows] : this.rows.filter(row => {
      const text = this.#textOf(row).toLowerCase();
      return wanted.every(word => text.includes(word));
    });
    const column = this.columns.find(each => each.id === this.sortBy) ?? this.columns[0];
    const sign = this.isDescending ? -1 : 1;
    const keyed = rows.map(row => ({ row, value: column.value(row) }));
    const next = (a, b) => this.thenBy ? -ordered(this.thenBy.value(a), this.thenBy.value(b), -1) : 0;
    keyed.sort((a, b) => sign * ordered(a.value, b.value, sign) || next(a.row, b.row) || ordered(this.key(a.row), this.key(b.row), 1));
    return keyed.map(each => each.row);
  }

  #show() {
    const rows = this.#matching();
    const pages = Math.max(1, Math.ceil(rows.length / this.pageSize));
    this.page = Math.max(0, Math.min(this.page, pages - 1));
    const first = this.page * this.pageSize, shown = rows.slice(first, first + this.pageSize);
    const of = rows.length === this.rows.length ? '' : ' of ' + whole(this.rows.length);
    setText(this.info, rows.length === 0 ? 'none' + of
      : pages === 1 ? whole(rows.length) + of : `${whole(first + 1)}–${whole(first + shown.length)} of ${whole(rows.length)}` + (of ? ' found' : ''));
    this.earlier.disabled = this.page === 0;
    this.later.disabled = this.page === pages - 1;
    this.earlier.hidden = this.later.hidden = pages === 1;
    for (const [id, cell] of this.heads) {
      if (id === this.sortBy) cell.setAttribute('aria-sort', this.isDescending ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    }
    this.#place(shown);
  }

  #place(rows) {
    if (rows.length === 0) {
      this.elements.clear();
      fill(this.body, el('tr', {}, el('td', { colspan: this.columns.length, class: 'none' }, this.filter ? 'No row matches what you look for.' : this.empty)));
      return;
    }
    const old = this.elements, wanted = [];
    this.elements = new Map();
    for (const row of rows) {
      const key = this.key(row);
      const element = old.get(key) ?? this.#made(key);
      this.elements.set(key, element);
      element.row = row;
      this.#paint(element, row);
      wanted.push(element);
      const opened = this.opened.get(key);
      if (opened) {
        opened.update?.(row);
        wanted.push(opened.line);
      }
    }
    const focused = document.activeElement;
    const now = this.body.children;
    if (now.length !== wanted.length || wanted.some((element, i) => now[i] !== element)) {
      this.body.replaceChildren(...wanted);
      if (focused && focused !== document.activeElement && this.body.contains(focused)) focused.focus({ preventScroll: true });
    }
    if (!this.body.querySelector('tr[tabindex="0"]')) this.body.firstElementChild?.setAttribute('tabindex', '0');
  }

  #made(key) {
    const canOpen = this.detail || this.openRow;
    const cells = this.columns.map((column, i) => el(i === 0 ? 'th' : 'td', { scope: i === 0 ? 'row' : false, class: classes(column.isNumber ? 'number' : column.kind, column.isExtra && 'extra') }));
    const row = el('tr', {
      class: canOpen ? 'row opens' : 'row', tabindex: '-1', 'data-key': key, 'aria-expanded': this.detail ? String(this.opened.has(key)) : false,
      onclick: event => { if (canOpen && !event.target.closest('a, button') && !String(getSelection())) this.#toggle(row); },
    }, cells);
    return row;
  }

  #paint(element, row) {
    this.columns.forEach((column, i) => {
      const cell = element.children[i];
      if (column.paint) column.paint(cell, row);
      else {
        const text = column.show ? column.show(row) : String(column.value(row) ?? '');
        if (column.isName) setName(cell, text);
        else setText(cell, text);
        if (text.length > 28) setAttribute(cell, 'title', column.full ? column.full(row) : text);
      }
    });
  }

  #toggle(element) {
    if (this.openRow) return this.openRow(element.row);
    const key = element.dataset.key;
    const opened = this.opened.get(key);
    element.setAttribute('aria-expanded', String(!opened));
    if (opened) {
      opened.close?.();
      opened.line.remove();
      this.opened.delete(key);
      return;
    }
    const made = this.detail(element.row);
    made.line = el('tr', { class: 'detail' }, el('td', { colspan: this.columns.length }, made.element));
    this.opened.set(key, made);
    element.after(made.line);
    made.update?.(element.row);
  }

  #move(event) {
    const row = event.target.closest('tr.row');
    if (!row || event.target !== row) return;
    const rows = [...this.elements.values()], at = rows.indexOf(row);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === 'Enter' || event.key === ' ') {
      if (this.detail || this.openRow) this.#toggle(row);
      event.preventDefault();
      event.stopPropagation();
    } else if (to !== undefined && rows[to]) {
      row.setAttribute('tabindex', '-1');
      rows[to].setAttribute('tabindex', '0');
      rows[to].focus();
      event.preventDefault();
    }
  }

  #save() {
    const lines = [this.columns.map(column => column.title), ...this.#matching().map(row => this.columns.map(column => column.value(row)))];
    download('troupe-' + this.name + '.csv', 'text/csv', lines.map(line => line.map(quoted).join(',')).join('\r\n') + '\r\n');
  }

  /** Ends what the open rows have begun. */
  close() {
    for (const opened of this.opened.values()) opened.close?.();
  }
}

const classes = (...names) => names.filter(Boolean).join(' ') || false;

// What is not known stays last in both orders.
function ordered(a, b, sign) {
  const noA = a === null || a === undefined || Number.isNaN(a), noB = b === null || b === undefined || Number.isNaN(b);
  if (noA || noB) return noA && noB ? 0 : noA ? sign : -sign;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return byName(String(a), String(b));
}

// A spreadsheet must not take a text of the run for a formula.
function quoted(value) {
  const text = value === null || value === undefined || Number.isNaN(value) ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
  return /[",\r\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
}

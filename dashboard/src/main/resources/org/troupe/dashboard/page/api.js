// The requests of the page. Addresses are relative, so the page works below any prefix.

const LOOK = 'troupe.look', ACT = 'troupe.act';

/** Takes the tokens from the address into the storage of this tab, and removes them from the address. */
export function takeTokens() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (!fragment.has('token')) return;
  sessionStorage.setItem(LOOK, fragment.get('token'));
  if (fragment.has('act')) sessionStorage.setItem(ACT, fragment.get('act'));
  else sessionStorage.removeItem(ACT);
  const run = fragment.get('run');
  history.replaceState(null, '', location.pathname + (run ? '?run=' + encodeURIComponent(run) : location.search));
}

/** Whether the page may change the run. */
export const mayAct = () => sessionStorage.getItem(ACT) !== null;

/** A refused or failed request, with a message for the reader. */
export class RequestError extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** Sends a GET; the answer's body is not read yet. */
export async function ask(path, parameters = {}, signal) {
  return sent('GET', path, parameters, sessionStorage.getItem(LOOK), signal);
}

/** Sends a GET; returns the JSON of the answer. */
export async function askJson(path, parameters = {}, signal) {
  return (await ask(path, parameters, signal)).json();
}

/** Sends a POST with the token for actions; returns a sentence on what was done. */
export async function act(path, parameters = {}) {
  const answer = await sent('POST', path, parameters, sessionStorage.getItem(ACT));
  const { done, silent = [] } = await answer.json().catch(() => ({}));
  if (!done && !silent.length) throw new RequestError('The answer does not say what was done. The events of the run may.', answer.status);
  const names = silent.slice(0, 10).join(', ') + (silent.length > 10 ? ' and ' + (silent.length - 10) + ' more' : '');
  return [done, silent.length ? 'no answer yet from ' + names : ''].filter(Boolean).join('; ');
}

async function sent(method, path, parameters, token, signal) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null));
  const address = 'api/' + path + (query.size ? '?' + query : '');
  let answer;
  try {
    answer = await fetch(address, {
      method, signal, cache: 'no-store', credentials: 'omit', headers: token ? { Authorization: 'Bearer ' + token } : {},
    });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new RequestError('The dashboard does not answer. If it has ended, start ./troupe dashboard again and open the new address.');
  }
  if (!answer.ok) throw new RequestError(await reason(answer), answer.status);
  return answer;
}

async function reason(answer) {
  const text = (await answer.text().catch(() => '')).trim();
  let said = text;
  try {
    const json = JSON.parse(text);
    said = json.error ? json.error + (json.remedy ? '; ' + json.remedy : '') : text;
  } catch { /* a plain text */ }
  return said.slice(0, 500) || 'The dashboard answered ' + answer.status + '.';
}

/** Calls a function for each line of an answer, as it arrives, and another one for each piece that arrives, be it empty lines. */
export async function eachLine(answer, take, heard) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    heard?.();
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.trim()) take(line);
  }
  if (rest.trim()) take(rest);
}

// The search of /docs. Index and library come with the first search.
import MiniSearch from './minisearch.js';

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** `create_invoice` is found whole and by each of its words. */
const words = (text) => {
  const whole = text.split(/[\s/{}().,;:!?«»"'`]+/u).filter(Boolean);
  return [...new Set([...whole, ...text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)])];
};

async function load() {
  const answer = await fetch(new URL('search.json', import.meta.url));
  if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
  const index = new MiniSearch({
    fields: ['title', 'detail'],
    storeFields: ['kind', 'title', 'detail', 'address'],
    tokenize: words,
    processTerm: plain,
    searchOptions: {
      boost: { title: 3 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      boostDocument: (_id, _term, { kind }) => weights[kind] ?? 1,
    },
  });
  const entries = await answer.json();
  index.addAll(entries.map(([kind, title, detail, address], id) => ({ id, kind, title, detail, address })));
  return index;
}

/** Of one word there are many fields, and few of all else. */
const weights = { operation: 2, guide: 1.5, field: 0.5 };

const shown_max = 30;

/** Below the service's own path. The version that the reader has chosen stays chosen. */
function addressHere(address) {
  const to = new URL(`${document.documentElement.dataset.base ?? ''}${address}`, location.href);
  const version = new URLSearchParams(location.search).get('version');
  if (version !== null) to.searchParams.set('version', version);
  return to.href;
}

let loading;
let dialog;

/** Opens the search. @param say chooses between Spanish and English */
export function search(say) {
  dialog ??= makeDialog(say);
  if (!dialog.open) dialog.showModal();
  dialog.querySelector('input').select();
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const kindsIn = (say) => ({
  guide: say('guía', 'guide'),
  page: say('página', 'page'),
  operation: say('operación', 'operation'),
  field: say('campo', 'field'),
  error: 'error',
  event: say('evento', 'event'),
});

/** The dialog, closed, and the parts of it that change. */
function makeParts(say) {
  const input = element('input', {
    type: 'text',
    autocomplete: 'off',
    spellcheck: false,
    id: 'search-words',
  });
  const list = element('ul', { id: 'search-found' });
  const told = element('p', { className: 'told' });
  const attributes = {
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': list.id,
    'aria-autocomplete': 'list',
    'aria-label': say('Buscar en la documentación', 'Search the documentation'),
    placeholder: say('Operación, campo, error, evento o guía', 'Operation, field, error, event or guide'),
  };
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', say('Resultados', 'Results'));
  told.setAttribute('role', 'status');
  const close = element('button', { type: 'button', textContent: say('Cerrar', 'Close') });
  const made = element(
    'dialog',
    { className: 'search' },
    element('div', { className: 'asked' }, input, close),
    told,
    list,
  );
  made.setAttribute('aria-label', say('Buscar', 'Search'));
  return { made, input, list, told, close };
}

function makeDialog(say) {
  const kinds = kindsIn(say);
  const { made, input, list, told, close } = makeParts(say);
  let chosen = 0;

  const choose = (at) => {
    const options = [...list.children];
    chosen = Math.max(0, Math.min(at, options.length - 1));
    for (const [i, option] of options.entries()) option.setAttribute('aria-selected', String(i === chosen));
    if (options[chosen]) input.setAttribute('aria-activedescendant', options[chosen].id);
    else input.removeAttribute('aria-activedescendant');
    options[chosen]?.scrollIntoView({ block: 'nearest' });
  };
  const go = (address) => {
    made.close();
    location.assign(addressHere(address));
  };
  const show = (found) => {
    list.replaceChildren(
      ...found.map(({ kind, title, detail, address }, i) => {
        const option = element(
          'li',
          { id: `search-${i}` },
          element('small', { textContent: kinds[kind] }),
          element('b', { textContent: title }),
          element('span', { textContent: detail }),
        );
        option.setAttribute('role', 'option');
        option.dataset.address = address;
        option.addEventListener('click', () => go(address));
        return option;
      }),
    );
    choose(0);
  };
  const find = async () => {
    const asked = input.value.trim();
    if (asked === '') {
      told.textContent = '';
      return show([]);
    }
    loading ??= load();
    try {
      const index = await loading;
      // Another letter came meanwhile.
      if (asked !== input.value.trim()) return;
      const all = index.search(asked);
      const found = all.slice(0, shown_max);
      const count = `${found.length}${all.length > found.length ? '+' : ''}`;
      told.textContent =
        found.length === 0
          ? say('Nada coincide.', 'Nothing matches.')
          : say(`${count} resultados`, `${count} results`);
      show(found);
    } catch {
      loading = undefined;
      told.textContent = say('La búsqueda no se ha podido cargar.', 'The search could not be loaded.');
    }
  };
  input.addEventListener('input', find);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter' && list.children[chosen]) go(list.children[chosen].dataset.address);
    else return;
    event.preventDefault();
  });
  close.addEventListener('click', () => made.close());
  document.body.append(made);
  return made;
}

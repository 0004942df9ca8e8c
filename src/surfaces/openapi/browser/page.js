// The script of every page under /docs: theme, language of the samples, copy buttons, and the two parts that are loaded
// when they are wanted: search and "try it". It keeps theme and language in localStorage, and nothing else.
const spanish = document.documentElement.lang !== 'en';
const say = (es, en) => (spanish ? es : en);

function read(name) {
  try {
    return localStorage.getItem(`folio.docs.${name}`);
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(`folio.docs.${name}`, value);
  } catch {
    // A browser without storage keeps the choice as long as the page.
  }
}

function switchTheme(button) {
  const root = document.documentElement;
  const names = {
    auto: say('automático', 'automatic'),
    light: say('claro', 'light'),
    dark: say('oscuro', 'dark'),
  };
  const order = Object.keys(names);
  const show = () => {
    const name = names[root.dataset.theme ?? 'auto'];
    button.setAttribute('aria-label', say(`Tema: ${name}`, `Theme: ${name}`));
    button.title = button.getAttribute('aria-label');
  };
  button.addEventListener('click', () => {
    const next = order[(order.indexOf(root.dataset.theme ?? 'auto') + 1) % order.length];
    if (next === 'auto') delete root.dataset.theme;
    else root.dataset.theme = next;
    keep('theme', next);
    show();
  });
  show();
}

/** One language for all samples of all pages. */
function chooseLanguage(id) {
  for (const radio of document.querySelectorAll(`.choices input[value="${CSS.escape(id)}"]`))
    radio.checked = true;
}

async function copy(button, block) {
  try {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = say('Copiado', 'Copied');
  } catch {
    getSelection().selectAllChildren(block);
    button.textContent = say('Seleccionado', 'Selected');
  }
  setTimeout(() => {
    button.textContent = say('Copiar', 'Copy');
  }, 2000);
}

function addCopyButton(block) {
  const frame = document.createElement('div');
  frame.className = 'copied';
  block.replaceWith(frame);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = say('Copiar', 'Copy');
  button.addEventListener('click', () => copy(button, block.querySelector('code') ?? block));
  frame.append(block, button);
}

/** The headings of written pages. Those of operations have a link already. */
function addAnchor(heading) {
  const link = document.createElement('a');
  link.className = 'anchor';
  link.href = `#${heading.id}`;
  link.textContent = '#';
  link.setAttribute(
    'aria-label',
    say(`Enlace a «${heading.textContent}»`, `Link to “${heading.textContent}”`),
  );
  heading.append(' ', link);
}

async function openSearch() {
  const { search } = await import('./search.js');
  search(say);
}

function isTyping(target) {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

document.addEventListener('keydown', (event) => {
  const is_chord = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k';
  const is_slash =
    event.key === '/' && !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event.target);
  if (!is_chord && !is_slash) return;
  event.preventDefault();
  openSearch();
});

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.closest('.choices')) return;
  // What is above the choice may grow or shrink: it stays where the reader looks.
  const before = target.getBoundingClientRect().top;
  chooseLanguage(target.value);
  scrollBy(0, target.getBoundingClientRect().top - before);
  keep('language', target.value);
});

document.addEventListener('click', async ({ target }) => {
  if (!(target instanceof Element)) return;
  const tried = target.closest('[data-try]');
  if (tried) (await import('./try.js')).tryCall(JSON.parse(tried.dataset.try), say);
});

const language = read('language');
if (language !== null) chooseLanguage(language);
for (const button of document.querySelectorAll('[data-theme-switch]')) switchTheme(button);
for (const button of document.querySelectorAll('[data-search]')) button.addEventListener('click', openSearch);
for (const heading of document.querySelectorAll('main h2[id], main h3[id]')) addAnchor(heading);
for (const block of document.querySelectorAll('main pre')) addCopyButton(block);

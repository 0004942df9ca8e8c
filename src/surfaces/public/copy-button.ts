/** Copies a text. It shows only where its script runs; without one the text can be selected. */
import type { PrintedLanguage } from '../../domain/printing/printed-document.ts';
import { type Html, html } from '../../kernel/html.ts';
import { pageWords } from './words.ts';

export function copyButton(text: string, language: PrintedLanguage): Html {
  const { copy, copied } = pageWords[language];
  return html`<button class="copy" type="button" hidden data-copy="${text}" data-done="${copied}">${copy}</button><span class="unseen" role="status"></span>`;
}

/** On plain http a browser has no `navigator.clipboard`, but copies what is selected. */
export const copyScript = `for (const button of document.querySelectorAll('[data-copy]')) {
  const label = button.textContent, said = button.nextElementSibling;
  let timer;
  const copySelected = () => {
    const field = document.createElement('textarea');
    field.value = button.dataset.copy;
    document.body.append(field);
    field.select();
    const is_done = document.execCommand('copy');
    field.remove();
    button.focus();
    return is_done;
  };
  button.hidden = false;
  button.addEventListener('click', async () => {
    const is_done = await (navigator.clipboard ? navigator.clipboard.writeText(button.dataset.copy).then(() => true, copySelected) : copySelected());
    if (!is_done) return;
    button.textContent = said.textContent = button.dataset.done;
    clearTimeout(timer);
    timer = setTimeout(() => { button.textContent = label; said.textContent = ''; }, 4000);
  });
}`;

/**
 * HTML from templates that escape every value, and the frame that all pages share. Nothing else here
 * writes markup, so a text from a schema can never become an element.
 */

/** Markup that is already safe to print. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** A template: values are escaped, Html is taken as it is, lists are joined, null and false are left out. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.map((part, index) => part + render(values[index])).join(''));
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
}

/** A text whose `words` are code, **words** are strong, and whose empty lines part paragraphs. */
export function prose(text: string): Html {
  return html`${text.split(/\n{2,}/).map((part) => html`<p>${inlineProse(part)}</p>`)}`;
}

/** The same without paragraphs. */
export function inlineProse(text: string): Html {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return html`${pieces.map((piece) => {
    if (piece.length > 2 && piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`;
    return piece.length > 4 && piece.startsWith('**') ? html`<strong>${piece.slice(2, -2)}</strong>` : piece;
  })}`;
}

export type PageParts = {
  title: string;
  /** Links of the side column; left out where a page needs none. */
  menu?: Html;
  main: Html;
};

/** A whole page. */
export function page({ title, menu, main }: PageParts): string {
  const frame = html`<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/docs/style.css">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#contenido">Ir al contenido</a>
<header class="top"><a class="brand" href="/docs">Folio</a><nav aria-label="Páginas">
<a href="/docs">Referencia</a><a href="/docs/errors">Errores</a><a href="/docs/webhooks">Webhooks</a><a href="/openapi.json">OpenAPI</a>${menu && html`<a class="to-menu" href="#indice">Índice</a>`}</nav></header>
<div class="${menu ? 'columns' : 'single'}">
<main id="contenido">
${main}
</main>
${menu && html`<nav class="menu" id="indice" aria-label="Índice">${menu}</nav>`}
</div>
</body>
</html>
`;
  return frame.text;
}

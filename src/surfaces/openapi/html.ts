import { type Html, html } from '../../kernel/html.ts';

/** Reads `code`, **strong** and paragraphs. */
export function prose(text: string): Html {
  return html`${text.split(/\n{2,}/).map((part) => html`<p>${inlineProse(part)}</p>`)}`;
}

/** Reads `code` and **strong**. */
export function inlineProse(text: string): Html {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return html`${pieces.map((piece) => {
    if (piece.length > 2 && piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`;
    return piece.length > 4 && piece.startsWith('**') ? html`<strong>${piece.slice(2, -2)}</strong>` : piece;
  })}`;
}

export type PageParts = {
  title: string;
  /** Links of the side column. */
  menu?: Html;
  main: Html;
};

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

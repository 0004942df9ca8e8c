/** The dashboard as the build left it in web/dist: one page with a fresh nonce, and its assets, from memory. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml, html } from '../../kernel/html.ts';

export type Asset = { type: string; bytes: Buffer; br: Buffer | null; gz: Buffer | null };

export type Shell = {
  /** Without it the page says how to get one. */
  is_built: boolean;
  assets: ReadonlyMap<string, Asset>;
  /**
   * @param base the path of the public address: empty, or one that a proxy takes away
   * @param reference link to the reference of the API
   */
  page(base: string, reference: string): { text: string; headers: Record<string, string> };
};

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  woff2: 'font/woff2',
};

const headersOf = (policy: string) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy,
  // It names the assets of this version.
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
});

const policyOf = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** @param folder of the build; read once */
export function readShell(folder: string): Shell {
  const file = join(folder, 'index.html');
  if (!existsSync(file))
    return { is_built: false, assets: new Map(), page: (_base, reference) => missing(reference) };
  const text = readFileSync(file, 'utf8');
  return {
    is_built: true,
    assets: readAssets(join(folder, 'assets')),
    page(base) {
      const nonce = randomBytes(16).toString('base64');
      const whole = text
        .replaceAll('__FOLIO_NONCE__', nonce)
        .replaceAll('__FOLIO_BASE__', escapeHtml(base))
        .replaceAll(/(src|href)="\.\//g, `$1="${escapeHtml(base)}/dashboard/`);
      return { text: whole, headers: headersOf(policyOf(nonce)) };
    },
  };
}

function readAssets(folder: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const read = (name: string) => (names.includes(name) ? readFileSync(join(folder, name)) : null);
  for (const name of names) {
    const type = types[name.split('.').at(-1) ?? ''];
    if (type !== undefined)
      assets.set(name, { type, bytes: read(name)!, br: read(`${name}.br`), gz: read(`${name}.gz`) });
  }
  return assets;
}

const missingText = (reference: string) =>
  html`<!doctype html>
<html lang="es"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Folio</title></head>
<body><main><h1>El panel no está construido</h1>
<p>La API funciona. Para tener el panel, ejecute <code>npm ci</code> sin <code>--omit=dev</code> y arranque otra vez.</p>
<p lang="en">The dashboard is not built. The API works. Run <code>npm ci</code> without <code>--omit=dev</code> and start again.</p>
<p><a href="${reference}">Referencia de la API</a></p></main></body></html>
`.text;

const missing = (reference: string) => ({
  text: missingText(reference),
  headers: headersOf("default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
});

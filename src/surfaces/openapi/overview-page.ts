import { type ApiVersion, apiVersions, latestVersion } from '../../kernel/versions.ts';
import { html } from '../../kernel/html.ts';
import { changesSince } from './changelog.ts';
import { guidePath } from './guide-pages.ts';
import type { Guide } from './guides.ts';
import {
  inlineProse,
  type Language,
  type Neighbour,
  openApiPath,
  type PageParts,
  versionQuery,
} from './html.ts';
import { menuOf, pathText, tagPath } from './reference-page.ts';
import type { TagGroup } from './tags.ts';
import { changelogPath } from './served-addresses.ts';

const rules: [title: string, text: string][] = [
  [
    'Autenticación',
    'Envíe `Authorization: Bearer <clave>` o `X-API-Key: <clave>`. Cada clave abre una sola empresa y un solo entorno: `svc_live_…` trabaja con la empresa real y `svc_test_…` con su entorno de pruebas, del que solo salen los `webhook.ping`.',
  ],
  [
    'Respuestas',
    'Un objeto llega como `{ "data": { … } }`. Una lista, como `{ "data": [ … ], "has_more": …, "next_cursor": … }`. Todo recurso lleva `object`, su tipo, e `id`, que en los que se crean es un UUID. Los avisos (`warnings`, con sus `warning_codes`) van junto a `data`, solo si los hay.',
  ],
  [
    'Páginas',
    'De 1 a 100 elementos con `limit`; 25 si se omite. Pase `next_cursor` en `starting_after` para seguir, o el primer id en `ending_before` para volver. La cabecera `Link` trae la dirección siguiente. Una página muy grande acaba antes de `limit`: mire `has_more`.',
  ],
  [
    'Filtros',
    'Se suman: `campo`, `campo[in]` con hasta 50 valores separados por comas, y `campo[gte|lte|gt|lt]`. Toda lista admite `created[…]` y `updated[…]`, con un instante o con un día de la empresa.',
  ],
  [
    'Reintentos',
    'Con `Idempotency-Key` una petición repetida no repite su efecto: durante 24 horas devuelve la misma respuesta, con `Idempotent-Replayed: true`, también si fue un rechazo. La misma clave con otro cuerpo da 409: una petición corregida lleva otra clave.',
  ],
  [
    'Cambios',
    'En un `PUT` lo que se omite no cambia, y `null` borra. Una clave que la operación no conoce da 422 y la nombra.',
  ],
  [
    'Cambios a la vez',
    'La consulta de un recurso trae su `ETag`. Envíela en `If-Match` al cambiarlo: si ha cambiado desde entonces, 412. En `If-None-Match` al consultarlo, 304 si es el mismo.',
  ],
  [
    'Números',
    'Importes y cantidades son decimales exactos, de la petición a la respuesta. Los importes tienen dos decimales como máximo.',
  ],
  ['Fechas', 'Los días son `AAAA-MM-DD` en la zona horaria de la empresa. Los instantes, ISO 8601 en UTC.'],
  [
    'Errores',
    'Llegan como `{ "error": { type, code, message, param, doc_url, request_id } }`. Decida por `code`; `doc_url` lo explica. Un método que la dirección no tiene es 405, con los suyos en `Allow`; `HEAD` responde donde `GET`.',
  ],
  [
    'Versiones',
    `La cabecera \`Service-Version\` fija una de estas fechas: ${apiVersions.map((version) => `\`${version}\``).join(', ')}. Sin ella rige la de la clave o, si no la tiene, \`${latestVersion}\`.`,
  ],
  [
    'Límites',
    'Las cabeceras `RateLimit` y `RateLimit-Policy` dicen cuánto queda de la ventana de un minuto. Por encima, 429 con `Retry-After`. Todas las claves de una empresa suman cuatro veces el límite de una, y cada empresa tiene su parte de lo que se hace a la vez.',
  ],
];

export type OverviewParts = {
  groups: readonly TagGroup[];
  public_url: string;
  version: ApiVersion;
  guides: readonly Guide[];
  /** Other pages. */
  more: readonly (Neighbour & { language: Language })[];
};

export function overviewPage({ groups, public_url, version, guides, more }: OverviewParts): PageParts {
  const query = versionQuery(version);
  const pinned = version === latestVersion ? '' : ` -H 'Service-Version: ${version}'`;
  const changes = changesSince(version);
  const main = html`<h1>API de Folio</h1>
<p class="lead">Facturación para empresas en España. JSON sobre HTTP, en <code>${public_url}/v1</code>. El contrato completo, para programas, está en <a href="${openApiPath(version)}">OpenAPI 3.1</a>; para agentes, en <a href="/llms.txt">llms.txt</a>.</p>
${changes.length > 0 && html`<div class="note"><p>Esta página muestra la versión ${version}. Después cambió:</p><ul>${changes.map(({ since, id, title }) => html`<li><a href="${changelogPath.es}#${id}">${since}</a>: ${inlineProse(title)}</li>`)}</ul></div>`}
<pre class="sample" tabindex="0"><code>curl '${public_url}/v1/account' -H "Authorization: Bearer $FOLIO_API_KEY"${pinned}</code></pre>
${guides.length > 0 && html`<h2 id="guias">Guías</h2><ul class="cards">${guides.map(({ name, title, about }) => html`<li><a href="${guidePath('es', name)}"><strong>${title}</strong> <small>${about}</small></a></li>`)}</ul>`}
${more.length > 0 && html`<h2 id="mas">Más páginas</h2><ul class="plain">${more.map(({ path, title, language }) => html`<li><a href="${path}" lang="${language}">${title}</a></li>`)}</ul>`}
<h2 id="convenciones">Lo que vale para todo</h2>
<dl class="rules">${rules.map(([title, text]) => html`<div><dt>${title}</dt><dd>${inlineProse(text)}</dd></div>`)}</dl>
<h2 id="operaciones">Operaciones</h2>
${groups.map(
  ({ tag, title, operations }) => html`<section><h3><a href="${tagPath(tag)}${query}">${title}</a></h3>
<ul class="index">${operations.map(
    (operation) =>
      html`<li><a href="${tagPath(tag)}${query}#${operation.name}"><span class="method ${operation.method.toLowerCase()}">${operation.method}</span><code>${pathText(operation.path)}</code><span>${inlineProse(operation.summary)}</span></a></li>`,
  )}</ul></section>`,
)}`;
  return {
    title: 'Referencia de la API',
    path: '/docs',
    menu: menuOf(groups, null, version),
    main,
    version,
    after: groups[0] && { path: `${tagPath(groups[0].tag)}${query}`, title: groups[0].title },
  };
}

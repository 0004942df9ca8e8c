/** The pages to which every `doc_url` leads, and the page for a wrong address. */
import type { Operation } from '../../kernel/operation.ts';
import { declaredProblems, type ProblemDef } from '../../kernel/problem.ts';
import { type Html, html } from '../../kernel/html.ts';
import { inlineProse, page, prose } from './html.ts';
import { isCommon, operationProblems } from './operation-problems.ts';

const typeTexts: Record<string, string> = {
  authentication_error: 'La credencial falta o no sirve.',
  authorization_error: 'La credencial sirve, pero no para esto.',
  not_found_error: 'Lo que se nombra no existe para esta empresa.',
  idempotency_error: 'La clave de idempotencia o el external_id ya se usaron con otra petición.',
  invalid_request_error: 'La petición no se puede cumplir tal como está.',
  rate_limit_error: 'Demasiadas peticiones: espere y repita.',
  api_error: 'El fallo es del servicio: se puede repetir.',
};

/** Marks the placeholders of a message. */
export function messageTemplate(message: string): Html {
  const pieces = message.split(/(\{\w+\})/);
  return html`${pieces.map((piece) => (/^\{\w+\}$/.test(piece) ? html`<var>${piece.slice(1, -1)}</var>` : piece))}`;
}

export function errorListPage(): string {
  const by_status = [...Map.groupBy(declaredProblems(), (def) => def.status)].sort(([a], [b]) => a - b);
  const menu = html`<ul>${by_status.map(([status, defs]) => html`<li><a href="#s${status}">${status} <small>(${defs.length})</small></a></li>`)}</ul>`;
  const main = html`<h1>Errores</h1>
<p class="lead">Un error llega como <code>{ "error": { type, code, message, param, doc_url, request_id } }</code>, o según la RFC 9457 si se pide <code>application/problem+json</code>. Los programas deciden por <code>code</code> y <code>type</code>: el mensaje es para personas y puede cambiar.</p>
${by_status.map(
  ([status, defs]) => html`<section id="s${status}"><h2>${status}</h2>
<dl class="errors">${defs.map((def) => html`<dt><a href="/docs/errors/${def.code}"><code>${def.code}</code></a></dt><dd>${messageTemplate(def.message)}</dd>`)}</dl></section>`,
)}
<section><h2>Tipos</h2><dl class="errors">${Object.entries(typeTexts).map(([type, text]) => html`<dt><code>${type}</code></dt><dd>${text}</dd>`)}</dl></section>`;
  return page({ title: 'Errores · Folio', menu, main });
}

/** @returns undefined for an unknown code */
export function errorPage(code: string, operations: readonly Operation[]): string | undefined {
  const def = declaredProblems().find((candidate) => candidate.code === code);
  if (!def) return undefined;
  const main = html`<p class="crumbs"><a href="/docs/errors">Errores</a></p>
<h1><code>${def.code}</code></h1>
<p class="lead">${messageTemplate(def.message)}</p>
<dl class="facts"><div><dt>Estado HTTP</dt><dd>${def.status}</dd></div>
<div><dt>Tipo</dt><dd><code>${def.type}</code></dd></div></dl>
<p>${typeTexts[def.type]}</p>
<h2>Qué hacer</h2>
${prose(def.help)}
<h2>Operaciones</h2>
${operationsWith(def, operations)}`;
  return page({ title: `${def.code} · Folio`, main });
}

function operationsWith(def: ProblemDef, operations: readonly Operation[]): Html {
  const giving = operations.filter((operation) => operationProblems(operation).includes(def));
  if (giving.length === 0) return html`<p>Ninguna operación publicada lo devuelve por sí misma.</p>`;
  if (isCommon(def) || giving.length > 40) return html`<p>Lo pueden devolver casi todas las operaciones.</p>`;
  return html`<ul class="plain">${giving.map((operation) => html`<li><a href="/docs/reference/${operation.tag}#${operation.name}">${inlineProse(operation.summary)}</a> <small><code>${operation.name}</code></small></li>`)}</ul>`;
}

export function missingPage(): string {
  const main = html`<h1>La página no existe</h1>
<p>Puede empezar por la <a href="/docs">referencia</a> o por la <a href="/docs/errors">lista de errores</a>.</p>`;
  return page({ title: 'No existe · Folio', main });
}

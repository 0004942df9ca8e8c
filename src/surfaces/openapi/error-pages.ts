/** The pages to which every `doc_url` leads, in both languages, and the page for a wrong address. */
import { type Html, html } from '../../kernel/html.ts';
import type { Operation } from '../../kernel/operation.ts';
import { declaredProblems, type ProblemDef, type ProblemType } from '../../kernel/problem.ts';
import type { Words } from '../../kernel/words.ts';
import { inlineProse, type Language, languageNames, otherOf, type PageParts, prose } from './html.ts';
import { isCommon, operationProblems } from './operation-problems.ts';
import { errorsPath } from './served-addresses.ts';

const typeTexts: Readonly<Record<ProblemType, Words>> = {
  authentication_error: {
    es: 'La credencial falta o no sirve.',
    en: 'The credential is missing or does not work.',
  },
  authorization_error: {
    es: 'La credencial sirve, pero no para esto.',
    en: 'The credential works, but not for this.',
  },
  not_found_error: {
    es: 'Lo que se nombra no existe para esta empresa.',
    en: 'What is named does not exist for this company.',
  },
  idempotency_error: {
    es: 'La clave de idempotencia o el external_id ya se usaron con otra petición.',
    en: 'The idempotency key or the external_id was used with another request already.',
  },
  invalid_request_error: {
    es: 'La petición no se puede cumplir tal como está.',
    en: 'The request cannot be done as it is.',
  },
  rate_limit_error: {
    es: 'Demasiadas peticiones: espere y repita.',
    en: 'Too many requests: wait, and send it again.',
  },
  api_error: {
    es: 'El fallo es del servicio: se puede repetir.',
    en: 'The fault is that of the service: it may be sent again.',
  },
};

export const errorWords = {
  es: { title: 'Errores', about: 'Cada código de error: cuándo llega y qué hacer.' },
  en: { title: 'Errors', about: 'Each error code: when it comes and what to do.' },
} as const;

const words = {
  es: {
    lead: html`Un error llega como <code>{ "error": { type, code, message, param, doc_url, request_id } }</code>, o según la RFC 9457 si se pide <code>application/problem+json</code>. Los programas deciden por <code>code</code> y <code>type</code>: el mensaje es para personas y puede cambiar.`,
    types: 'Tipos',
    status: 'Estado HTTP',
    type: 'Tipo',
    what_to_do: 'Qué hacer',
    operations: 'Operaciones',
    of_none: 'Ninguna operación publicada lo devuelve por sí misma.',
    of_most: 'Lo pueden devolver casi todas las operaciones.',
  },
  en: {
    lead: html`An error comes as <code>{ "error": { type, code, message, param, doc_url, request_id } }</code>, or by RFC 9457 if <code>application/problem+json</code> is asked for. Programs decide by <code>code</code> and <code>type</code>: the message is for people, in Spanish, and may change.`,
    types: 'Types',
    status: 'HTTP status',
    type: 'Type',
    what_to_do: 'What to do',
    operations: 'Operations',
    of_none: 'No published operation answers it by itself.',
    of_most: 'Almost any operation may answer it.',
  },
} as const;

/** Marks the placeholders of a message. */
export function messageTemplate(message: string): Html {
  const pieces = message.split(/(\{\w+\})/);
  return html`${pieces.map((piece) => (/^\{\w+\}$/.test(piece) ? html`<var>${piece.slice(1, -1)}</var>` : piece))}`;
}

const errorPath = (language: Language, code: string) => `${errorsPath[language]}/${code}`;

export function errorListPage(language: Language): PageParts {
  const w = words[language];
  const { title } = errorWords[language];
  const other = otherOf(language);
  const by_status = [...Map.groupBy(declaredProblems(), (def) => def.status)].sort(([a], [b]) => a - b);
  const menu = html`<ul>${by_status.map(([status, defs]) => html`<li><a href="#s${status}">${status} <small>(${defs.length})</small></a></li>`)}</ul>`;
  const main = html`<h1>${title}</h1>
<p class="lead">${w.lead}</p>
${by_status.map(
  ([status, defs]) => html`<section id="s${status}"><h2>${status}</h2>
<dl class="errors">${defs.map(({ code, message }) => html`<dt><a href="${errorPath(language, code)}"><code>${code}</code></a></dt><dd>${messageTemplate(message[language])}</dd>`)}</dl></section>`,
)}
<section><h2>${w.types}</h2><dl class="errors">${Object.entries(typeTexts).map(([type, text]) => html`<dt><code>${type}</code></dt><dd>${text[language]}</dd>`)}</dl></section>`;
  return {
    title,
    path: errorsPath[language],
    language,
    other_language: { path: errorsPath[other], title: languageNames[other] },
    menu,
    main,
  };
}

export function errorPage(
  def: ProblemDef,
  operations: readonly Operation[],
  language: Language = 'es',
): PageParts {
  const w = words[language];
  const other = otherOf(language);
  const main = html`<p class="crumbs"><a href="${errorsPath[language]}">${errorWords[language].title}</a></p>
<h1><code>${def.code}</code></h1>
<p class="lead">${messageTemplate(def.message[language])}</p>
<dl class="facts"><div><dt>${w.status}</dt><dd>${def.status}</dd></div>
<div><dt>${w.type}</dt><dd><code>${def.type}</code></dd></div></dl>
<p>${typeTexts[def.type][language]}</p>
<h2>${w.what_to_do}</h2>
${prose(def.help[language])}
<h2>${w.operations}</h2>
${operationsWith(def, operations, language)}`;
  return {
    title: def.code,
    path: errorPath(language, def.code),
    language,
    other_language: { path: errorPath(other, def.code), title: languageNames[other] },
    main,
  };
}

/** Their summaries are in Spanish, as the reference is. */
function operationsWith(def: ProblemDef, operations: readonly Operation[], language: Language): Html {
  const giving = operations.filter((operation) => operationProblems(operation).includes(def));
  if (giving.length === 0) return html`<p>${words[language].of_none}</p>`;
  if (isCommon(def) || giving.length > 40) return html`<p>${words[language].of_most}</p>`;
  return html`<ul class="plain">${giving.map((operation) => html`<li><a href="/docs/reference/${operation.tag}#${operation.name}"${language !== 'es' && html` lang="es"`}>${inlineProse(operation.summary)}</a> <small><code>${operation.name}</code></small></li>`)}</ul>`;
}

export function missingPage(): PageParts {
  const main = html`<h1>La página no existe</h1>
<p>Puede empezar por la <a href="/docs">referencia</a> o por la <a href="/docs/errors">lista de errores</a>.</p>`;
  return { title: 'No existe', main };
}

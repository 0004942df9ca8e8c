import type { KeyedFilters } from '../../kernel/list-operation.ts';
import { type Operation, scopesNeeded } from '../../kernel/operation.ts';
import { scopeCatalogue } from '../../kernel/scopes.ts';
import { type ApiVersion, latestVersion } from '../../kernel/versions.ts';
import { consequenceTexts } from './consequences.ts';
import { changesSince } from './changelog.ts';
import type { ExampleAnswers } from './examples.ts';
import { type Html, html } from '../../kernel/html.ts';
import { inlineProse, type Neighbour, type PageParts, versionQuery } from './html.ts';
import { answerHeaders, fileHeaders, ifNoneMatch, isFile, isList, unchangedFile } from './headers.ts';
import { isCommon, operationProblems } from './operation-problems.ts';
import { fieldItem, fieldList, type FieldPlace } from './schema-fields.ts';
import { renderMarkdown } from './markdown.ts';
import { samplesOf } from './operation-samples.ts';
import { answersIn, operationIn } from './operation-version.ts';
import type { TagGroup } from './tags.ts';
import { type JsonSchema, resourceName } from '../shared/wire-schema.ts';
import { changelogPath } from './served-addresses.ts';

export type NoteField = (operation: Operation, id: string, name: string, schema: JsonSchema) => void;

export type ReferenceParts = {
  groups: readonly TagGroup[];
  answers: ExampleAnswers;
  public_url: string;
  /** Whether the page may call the API as a part of its own origin. */
  can_call: boolean;
  /** The latest when left out. */
  version?: ApiVersion;
  /** Told of each field that is shown. */
  note?: NoteField;
};

export function pathText(path: string): Html {
  const pieces = path.split(/(:\w+)/);
  return html`${pieces.map((piece) => (piece.startsWith(':') ? html`<var>{${piece.slice(1)}}</var>` : piece))}`;
}

export const tagPath = (tag: string) => `/docs/reference/${tag}`;

export function menuOf(groups: readonly TagGroup[], shown: string | null, version: ApiVersion): Html {
  return html`<ul>${groups.map(
    ({
      tag,
      title,
      operations,
    }) => html`<li><a href="${tagPath(tag)}${versionQuery(version)}"${tag === shown && html` aria-current="page"`}>${title}</a>
${tag === shown && html`<ul>${operations.map((operation) => html`<li><a href="#${operation.name}">${inlineProse(operation.summary.replace(/\.$/, ''))}</a></li>`)}</ul>`}</li>`,
  )}</ul>`;
}

export function tagPage(group: TagGroup, parts: ReferenceParts): PageParts {
  const { groups, answers, public_url, can_call, version = latestVersion, note } = parts;
  const at = groups.indexOf(group);
  const neighbour = (to: TagGroup | undefined): Neighbour | undefined =>
    to && { path: `${tagPath(to.tag)}${versionQuery(version)}`, title: to.title };
  const shown: ShownOutputs = new Map();
  const taken = new Map<string, number>();
  const section = (operation: Operation) =>
    operationSection(operationIn(version, operation), {
      samples: samplesOf(operation, {
        answers: answersIn(version, operation, answers),
        public_url,
        can_call,
        version,
      }),
      version,
      shown,
      placeOf: (part) => ({
        prefix: `${operation.name}.${part}`,
        take(id, name, schema) {
          const times = (taken.get(id) ?? 0) + 1;
          taken.set(id, times);
          const own = times === 1 ? id : `${id}-${times}`;
          note?.(operation, own, name, schema);
          return own;
        },
      }),
    });
  const main = html`<p class="crumbs"><a href="/docs${versionQuery(version)}">Referencia</a></p>
<h1>${group.title}</h1>
<p class="lead">${group.description}</p>
${changesOf(version, null)}
${group.operations.map(section)}`;
  return {
    title: group.title,
    path: tagPath(group.tag),
    menu: menuOf(groups, group.tag, version),
    main,
    version,
    before: neighbour(groups[at - 1]),
    after: neighbour(groups[at + 1]),
  };
}

/** The operation that shows these fields first. A page shows them only there. */
type ShownOutputs = Map<string, Operation>;

type SectionParts = {
  samples: Html;
  version: ApiVersion;
  shown: ShownOutputs;
  placeOf(part: 'path' | 'query' | 'header' | 'body' | 'answer'): FieldPlace;
};

function operationSection(operation: Operation, parts: SectionParts): Html {
  const { name, method, path, summary, description } = operation;
  const { samples, version, placeOf } = parts;
  const body = operation.body as JsonSchema | null;
  return html`<section class="operation" id="${name}">
<h2>${inlineProse(summary.replace(/\.$/, ''))} <a class="anchor" href="#${name}" aria-label="Enlace a esta operación">#</a></h2>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${pathText(path)}</code></p>
${description && renderMarkdown(description).main}
${changesOf(version, operation)}
${factsOf(operation)}
${samples}
<div class="sides"><div>
${parametersOf(operation, placeOf)}
${body && html`<h3>Cuerpo <small>${operation.body_optional ? 'opcional, ' : ''}${operation.body_limit / 1024} KiB como máximo</small></h3>${fieldList(body, true, placeOf('body')) ?? html`<p>Un objeto sin campos.</p>`}`}
${errorsOf(operation)}
</div><div>
<h3>Respuesta <small>${operation.status}</small></h3>
${answerOf(operation, operation.output as JsonSchema, parts)}
${operation.other_statuses.map(({ status, when, output }) => html`<h3>Respuesta <small>${status}</small></h3><p>${when}</p>${output && answerOf(operation, output as JsonSchema, parts)}`)}
</div></div>
</section>`;
}

/** What later versions changed: all of it, or what names the operation. Nothing in the latest. */
function changesOf(version: ApiVersion, operation: Operation | null): Html | undefined {
  const changes = changesSince(version).filter(({ routes }) => {
    const route = operation && `${operation.method} ${operation.path.replace(/:(\w+)/g, '{$1}')}`;
    return route === null || routes.includes(route);
  });
  if (changes.length === 0) return undefined;
  const list = changes.map(
    ({ since, id, title }) =>
      html`<li><a href="${changelogPath.es}#${id}">${since}</a>: ${inlineProse(title)}</li>`,
  );
  return html`<div class="note"><p>Esta página muestra la versión ${version}. Después cambió:</p><ul>${list}</ul></div>`;
}

function factsOf(operation: Operation): Html {
  const { name, idempotency, idempotency_length: length, rate, events, profile_scope } = operation;
  const told = consequenceTexts(operation);
  const scopes = scopesNeeded(operation).map((scope) => {
    const meaning = scopeCatalogue.find((entry) => entry.scope === scope)?.description.es;
    return html`<code>${scope}</code> <small>${meaning}</small>`;
  });
  const keys = {
    none: null,
    optional: `Admite Idempotency-Key, de ${length.min} a ${length.max} caracteres.`,
    required: `Exige Idempotency-Key, de ${length.min} a ${length.max} caracteres.`,
  }[idempotency];
  return html`<dl class="facts">
<div><dt>${scopes.length > 1 ? 'Permisos' : 'Permiso'}</dt><dd>${scopes.length === 0 ? 'Cualquier clave' : scopes}</dd></div>
${profile_scope !== null && html`<div><dt>Con X-Active-Profile</dt><dd><code>${profile_scope}</code> <small>Además.</small></dd></div>`}
${operation.input_scopes.map(({ param, scope, if_changed }) => html`<div><dt>${if_changed ? 'Si cambia' : 'Con'} <code>${param}</code></dt><dd>también <code>${scope}</code></dd></div>`)}
${keys && html`<div><dt>Reintentos</dt><dd>${keys}</dd></div>`}
<div><dt>Límite</dt><dd>Cuenta como ${rate === 'read' ? 'lectura' : 'escritura'}.</dd></div>
${told.length > 0 && html`<div><dt>Atención</dt><dd>${told.join(' ')}</dd></div>`}
${events.length > 0 && html`<div><dt>Eventos</dt><dd>${events.map((event) => html`<a href="/docs/events#${event}"><code>${event}</code></a> `)}</dd></div>`}
<div><dt>Operación</dt><dd><code>${name}</code></dd></div>
</dl>`;
}

function parametersOf(operation: Operation, placeOf: SectionParts['placeOf']): Html {
  const { params, query } = operation;
  const headers = isFile(operation)
    ? { properties: { [ifNoneMatch.name]: { ...ifNoneMatch.schema, description: ifNoneMatch.description } } }
    : null;
  type Part = Parameters<typeof placeOf>[0];
  const list = (title: string, part: Part, schema: JsonSchema | null, always: boolean) => {
    const place = placeOf(part);
    const fields = [
      ...foldRanges((schema?.properties ?? {}) as Record<string, JsonSchema>),
      ...keyedFields(schema),
    ];
    const required = new Set((schema?.required ?? []) as string[]);
    if (fields.length === 0) return undefined;
    return html`<h3>${title}</h3><ul class="fields">${fields.map(([name, field]) => fieldItem(name, field, { sent: true, depth: 0, is_required: always || required.has(name), place }))}</ul>`;
  };
  return html`${list('Ruta', 'path', params as JsonSchema | null, true)}${list('Consulta', 'query', query as JsonSchema | null, false)}${list('Cabeceras', 'header', headers, false)}`;
}

/** `metadata[…]`. */
function keyedFields(schema: JsonSchema | null): [string, JsonSchema][] {
  const keyed = (schema?.keyed ?? {}) as KeyedFilters;
  return Object.entries(keyed).map(([name, { value_max, description }]) => [
    `${name}[…]`,
    { type: 'string', maxLength: value_max, description },
  ]);
}

/** Shows a range filter as one parameter: `total[gte|lte|gt|lt]`. */
function foldRanges(fields: Record<string, JsonSchema>): [string, JsonSchema][] {
  const folded = Object.entries(fields).map(([name, field]): [string, JsonSchema] => {
    const base = /^(.+)\[(?:gte|lte|gt|lt)\]$/.exec(name)?.[1];
    return [base === undefined ? name : `${base}[gte|lte|gt|lt]`, field];
  });
  return [...new Map(folded)];
}

/** The fields of `data`. The first page explains the envelope. */
function answerOf(operation: Operation, output: JsonSchema, parts: SectionParts): Html {
  if (isFile(operation))
    return html`<p>El fichero, <code>${operation.output_media_type}</code>, sin envoltorio, con las cabeceras:</p>
<ul class="fields">${fileHeaders.map((name) => html`<li><code class="name">${name}</code><p>${inlineProse(answerHeaders[name].description)}</p></li>`)}</ul>
<p><code>304</code> ${inlineProse(unchangedFile)} Con las mismas cabeceras.</p>`;
  const properties = (output.properties ?? {}) as Record<string, JsonSchema>;
  const others = Object.keys(properties).filter(
    (name) => !['data', 'has_more', 'next_cursor'].includes(name),
  );
  const { data } = properties;
  if (!data || others.length > 0)
    return fieldList(output, false, parts.placeOf('answer')) ?? html`<p>Un objeto.</p>`;
  const is_page = isList(operation);
  const item = (is_page ? data.items : data) as JsonSchema;
  const choices = (item.anyOf ?? []) as JsonSchema[];
  if (choices.length > 1 && choices.every((choice) => resourceName(choice) !== undefined))
    return html`${choices.map((choice) => html`<p>Si <code>object</code> es <code>${resourceName(choice)}</code>:</p>${fieldsOnce(operation, choice, parts)}`)}`;
  const intro = is_page
    ? html`Una página: cada elemento de <code>data</code> tiene estos campos.`
    : html`Los campos de <code>data</code>:`;
  return fieldsOnce(operation, item, parts, html`<p>${intro}</p>`);
}

function fieldsOnce(
  operation: Operation,
  item: JsonSchema,
  { shown, placeOf }: SectionParts,
  intro?: Html,
): Html {
  const key = JSON.stringify(item);
  const earlier = shown.get(key);
  if (earlier) {
    const link = html`<a href="#${earlier.name}">${inlineProse(earlier.summary.replace(/\.$/, ''))}</a>`;
    return html`<p>Los mismos campos${isList(operation) && ' en cada elemento'} que en «${link}».</p>`;
  }
  shown.set(key, operation);
  return html`${intro}${fieldList(item, false, placeOf('answer')) ?? html`<p>Un objeto de campos libres.</p>`}`;
}

function errorsOf(operation: Operation): Html {
  const own = operationProblems(operation).filter((def) => !isCommon(def));
  const link = (code: string) => html`<a href="/docs/errors/${code}"><code>${code}</code></a>`;
  const list = own.map(
    ({ code, status, message }) =>
      html`<li><b>${status}</b> ${link(code)} <small>${message.es.replace(/\{(\w+)\}/g, '…')}</small></li>`,
  );
  const common = operationProblems(operation).filter(isCommon);
  return html`<h3>Errores</h3>
${own.length > 0 && html`<ul class="codes">${list}</ul>`}
<details class="common"><summary>Errores comunes (${common.length})</summary><ul class="codes">${common.map(({ code, status }) => html`<li><b>${status}</b> ${link(code)}</li>`)}</ul></details>`;
}

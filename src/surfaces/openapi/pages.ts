/**
 * Serves documents for programs (/openapi.json, event schemas) and pages for people and agents (/docs). They need no key
 * and load nothing from elsewhere; without script they are read all the same (ADR 74).
 */
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../../kernel/addresses.ts';
import type { Operation } from '../../kernel/operation.ts';
import { findProblem } from '../../kernel/problem.ts';
import { type ApiVersion, apiVersions, isApiVersion, latestVersion } from '../../kernel/versions.ts';
import { inTurns } from '../../platform/give-way.ts';
import { basePath, isBesideDocs } from '../shared/base-path.ts';
import { changelogFeed } from './changelog-feed.ts';
import { openApiSteps } from './document.ts';
import { errorPage, missingPage } from './error-pages.ts';
import { makeEventSchemas } from './event-schemas.ts';
import { readExampleAnswers } from './examples.ts';
import { type Language, markdownPath, page, pagePolicy, type PageParts, withBase } from './html.ts';
import { type KeptText, makeKeptTexts, sendKept } from './kept-texts.ts';
import { guideLanguages } from './guides.ts';
import { llmsTxt } from './llms-txt.ts';
import { addDocument } from './open-documents.ts';
import { makePostmanCollection } from './postman-collection.ts';
import { hasPageText, readPageText } from './page-texts.ts';
import { printJson } from './print-json.ts';
import { makeSearchIndex } from './search-index.ts';
import { errorsPath, feedPath, toolsPath } from './served-addresses.ts';
import { listPages, type SitePage } from './site.ts';
import { style } from './style.ts';
import { toMarkdown } from './to-markdown.ts';

export type PagesOptions = Addresses & { operations: readonly Operation[] };

const forPeople = (reply: FastifyReply) =>
  reply.header('Content-Security-Policy', pagePolicy).header('Referrer-Policy', 'no-referrer');

type Keep = ReturnType<typeof makeKeptTexts>;

type AddParts = Addresses & { keep: Keep };
type ErrorPagesParts = PagesOptions & { keep: Keep };

const sendPage = (reply: FastifyReply, made: Promise<KeptText>) =>
  sendKept(forPeople(reply), 'text/html', made);

const sendMissing = (reply: FastifyReply, docs_url: string) =>
  forPeople(reply)
    .code(404)
    .header('Content-Type', 'text/html; charset=utf-8')
    .send(page(missingPage(), basePath(docs_url)));

export function registerPages(app: FastifyInstance, options: PagesOptions): void {
  const { operations, public_url, docs_url } = options;
  const keep = makeKeptTexts(() => `${public_url()} ${docs_url()}`);
  let listed: readonly SitePage[] | undefined;
  // Listed for the first reader: no start waits for titles of guides and a megabyte of answers.
  const pages = () => (listed ??= listPages(operations));
  addDocuments(app, { ...options, keep, pages });
  addScripts(app, keep);
  addPages(app, { ...options, keep, pages });
  addErrorPages(app, { ...options, keep });
  const base = () => basePath(docs_url());
  app.get('/docs/', (_request, reply) => reply.redirect(`${base()}/docs`, 308));
  app.get('/docs/guides', (request, reply) =>
    reply.header('Vary', 'Accept-Language').redirect(`${base()}/docs/guides/${guideLanguage(request)}`, 303),
  );
}

/** Spanish, unless the reader asks for English first. */
function guideLanguage({ headers }: FastifyRequest): 'es' | 'en' {
  return /^\s*en\b/i.test(headers['accept-language'] ?? '') ? 'en' : 'es';
}

/** @returns undefined for what is no version */
function versionAsked({ query }: FastifyRequest): ApiVersion | undefined {
  const { version = latestVersion } = query as Record<string, unknown>;
  return typeof version === 'string' && isApiVersion(version) ? version : undefined;
}

type SendPage = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** One route finds them by their path: a route for each would take a fifth of a start. */
function addPages(app: FastifyInstance, { pages, ...parts }: DocumentParts): void {
  let known: ReadonlyMap<string, SendPage> | undefined;
  const send = (path: string, request: FastifyRequest, reply: FastifyReply) => {
    known ??= new Map(pages().flatMap((each) => sendersOf(each, parts)));
    const found = known.get(path);
    return found ? found(request, reply) : sendMissing(reply, parts.docs_url());
  };
  for (const path of ['/docs', markdownPath('/docs')])
    app.get(path, (request, reply) => send(path, request, reply));
  app.get('/docs/*', (request, reply) => {
    const { '*': rest } = request.params as { '*': string };
    // A decoded slash would split a name.
    const is_plain = !/%2f/i.test(request.url.split('?', 1)[0] ?? '');
    return is_plain ? send(`/docs/${rest}`, request, reply) : sendMissing(reply, parts.docs_url());
  });
}

/** A page and its Markdown, by their paths. */
function sendersOf(site: SitePage, { keep, ...addresses }: AddParts): [string, SendPage][] {
  const { public_url, docs_url } = addresses;
  const can_call = () => isBesideDocs(addresses);
  const sender = (
    path: string,
    send: (reply: FastifyReply, name: string, version: ApiVersion) => unknown,
  ): [string, SendPage] => [
    path,
    (request, reply) => {
      const version = site.has_versions ? versionAsked(request) : latestVersion;
      return version === undefined
        ? sendMissing(reply, docs_url())
        : send(reply, `${path} ${version}`, version);
    },
  ];
  const partsOf = (version: ApiVersion) =>
    site.make({ public_url: public_url(), can_call: can_call(), version });
  return [
    sender(site.path, (reply, name, version) =>
      sendPage(
        reply,
        keep(name, () => page(partsOf(version), basePath(docs_url()))),
      ),
    ),
    sender(markdownPath(site.path), (reply, name, version) =>
      sendKept(
        reply,
        'text/markdown',
        keep(name, () => markdownOf(partsOf(version), basePath(docs_url()))),
      ),
    ),
  ];
}

/** In a turn of its own: the longest page takes as long to read as it took to make. */
async function markdownOf({ main }: PageParts, base: string): Promise<string> {
  await nextTurn();
  return toMarkdown(withBase(main, base));
}

function addErrorPages(app: FastifyInstance, { operations, docs_url, keep }: ErrorPagesParts): void {
  const add = (language: Language) =>
    app.get(`${errorsPath[language]}/:code`, (request, reply) => {
      const [, code = '', ending] = /^(.*?)(\.md)?$/s.exec((request.params as { code: string }).code) ?? [];
      const def = findProblem(code);
      if (def === undefined) return sendMissing(reply, docs_url());
      const base = basePath(docs_url());
      const parts = () => errorPage(def, operations, language);
      const name = `error ${language} ${code}`;
      return ending === undefined
        ? sendPage(
            reply,
            keep(name, () => page(parts(), base)),
          )
        : sendKept(
            reply,
            'text/markdown',
            keep(`${name}.md`, () => markdownOf(parts(), base)),
          );
    });
  for (const language of guideLanguages) add(language);
}

type DocumentParts = PagesOptions & { keep: Keep; pages: () => readonly SitePage[] };

function addDocuments(app: FastifyInstance, parts: DocumentParts): void {
  const { operations, public_url, docs_url, keep, pages } = parts;
  const sendOpenApi = (reply: FastifyReply, version: ApiVersion) => {
    function* steps() {
      // Read with the first document: no start waits for a megabyte of answers.
      const answers = readExampleAnswers();
      const addresses = { public_url: public_url(), docs_url: docs_url() };
      const document = yield* openApiSteps(operations, { ...addresses, answers, version });
      return `${JSON.stringify(document)}\n`;
    }
    return sendKept(
      reply,
      'application/json',
      keep(`openapi ${version}`, () => inTurns(steps())),
    );
  };
  addDocument(app, '/openapi.json', (reply) => sendOpenApi(reply, latestVersion));
  for (const version of apiVersions)
    addDocument(app, `/openapi/${version}.json`, (reply) => sendOpenApi(reply, version));
  addDocument(app, '/docs/postman-collection.json', (reply) => {
    const make = () => printJson(makePostmanCollection(operations, public_url()));
    return sendKept(reply, 'application/json', keep('postman', make));
  });
  addDocument(app, '/docs/event-schemas.json', (reply) => {
    const make = () => `${JSON.stringify(makeEventSchemas(), null, 2)}\n`;
    return sendKept(reply, 'application/schema+json', keep('event-schemas', make));
  });
  // As it is printed, since another surface makes it. A service without docs/ has none.
  if (hasPageText('mcp-tools.json'))
    addDocument(app, toolsPath, (reply) =>
      sendKept(
        reply,
        'application/json',
        keep('tools', () => readPageText('mcp-tools.json') ?? ''),
      ),
    );
  for (const language of guideLanguages)
    addDocument(app, feedPath[language], (reply) =>
      sendKept(
        reply,
        'application/atom+xml',
        keep(`feed ${language}`, () => changelogFeed(docs_url(), language)),
      ),
    );
  addDocument(app, '/llms.txt', (reply) =>
    sendKept(
      reply,
      'text/plain',
      keep('llms', () => llmsTxt(pages(), { public_url: public_url(), docs_url: docs_url() })),
    ),
  );
  addDocument(app, '/docs/search.json', (reply) => {
    const make = async () => JSON.stringify(await makeSearchIndex(operations, pages()));
    return sendKept(reply, 'application/json', keep('search', make));
  });
}

/** By the name that the pages load them by. */
const scripts = {
  'page.js': new URL('./browser/page.js', import.meta.url),
  'search.js': new URL('./browser/search.js', import.meta.url),
  'try.js': new URL('./browser/try.js', import.meta.url),
  'minisearch.js': new URL(import.meta.resolve('minisearch')),
};

function addScripts(app: FastifyInstance, keep: Keep): void {
  app.get('/docs/style.css', (_request, reply) =>
    sendKept(
      reply,
      'text/css',
      keep('style', () => style),
    ),
  );
  for (const [name, file] of Object.entries(scripts))
    app.get(`/docs/${name}`, (_request, reply) =>
      sendKept(
        reply,
        'text/javascript',
        keep(name, () => readFileSync(fileURLToPath(file), 'utf8')),
      ),
    );
}

/**
 * Runs every block of every guide, and compares what it prints. FOLIO_TEST_UPDATE=1 rewrites what the guides say. Each guide
 * has a company of its own and the first guide's helpers.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { XmlDocument } from 'libxml2-wasm';
import { plans } from '../../src/kernel/plans.ts';
import { scopeCatalogue, scopeGroups } from '../../src/kernel/scopes.ts';
import { eventCatalog } from '../../src/modules/events/index.ts';
import { isSuccess, retryDelaysMs } from '../../src/modules/webhooks/rules/schedule.ts';
import { guideLanguages, guideNames, ofLanguage } from '../../src/surfaces/openapi/guides.ts';
import { changelogPath, eventsPath, scopesPath } from '../../src/surfaces/openapi/served-addresses.ts';
import { sampleLanguages } from '../../src/surfaces/openapi/samples/languages.ts';
import { sampleCall } from '../../src/surfaces/openapi/samples/sample-call.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { onOwnDatabase } from '../harness.ts';
import { unpackClient } from '../support/client-package.ts';
import { projectRoot } from '../support/installation.ts';
import { readBlocks, runBlocks, withPrinted } from '../support/page-blocks.ts';

const startApp = onOwnDatabase();

const address = 'http://127.0.0.1:3000';
const fileOf = (name: string) => join(projectRoot, 'docs/guides', `${name}.md`);
const sourceOf = (name: string) => readFileSync(fileOf(name), 'utf8');

test('given the guides, when their blocks are run, then each prints what its guide says', async (t) => {
  // Limits as they are without a setting: the harness turns them off.
  const app = await startApp(t, { env: { FOLIO_RATE_LIMITS: 'default' } });
  const helpers = readBlocks(sourceOf('first-invoice'))[0]!.command.replaceAll(address, app.url);
  const folder = mkdtempSync(join(tmpdir(), 'folio-guides-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  unpackClient(folder);
  for (const name of guideNames) {
    await t.test(name, async () => {
      app.clock.set(new Date('2026-11-21T10:00:00.000Z'));
      const { test_key } = await app.given.company({ name: 'Librería Acme SL' });
      const env = {
        FOLIO_API_KEY: test_key,
        // `node` of the blocks is the one that runs the service.
        PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      };
      const source = sourceOf(name);
      const blocks = readBlocks(source.replaceAll(address, app.url));
      const printed = await runBlocks(blocks, { cwd: folder, env, before: helpers });
      if (process.env.FOLIO_TEST_UPDATE === '1')
        return writeFileSync(fileOf(name), withPrinted(source, printed));
      assert.deepEqual(
        printed,
        blocks.map((block) => block.printed),
      );
    });
  }
  await t.test('the sample of the reference in curl is answered by the service', async () => {
    const operation = catalog.find(({ name }) => name === 'create_client')!;
    const { test_key } = await app.given.company();
    const call = sampleCall(operation, operation.examples[0]!, { public_url: app.url });
    const [curl] = sampleLanguages;
    const block = { command: `${curl.write(call).replace('curl', 'curl -s')}\n`, printed: '' };
    const [answer = ''] = await runBlocks([block], { cwd: folder, env: { FOLIO_API_KEY: test_key } });
    assert.equal(JSON.parse(answer).data.object, 'client');
  });
});

test('every guide says in each language as much as in the other', () => {
  for (const name of guideNames) {
    const [es, en] = guideLanguages.map((language) => ofLanguage(sourceOf(name), language));
    const shape = (text = '') => text.match(/^(?:#+ |\||\d+\. |```)/gm)?.map((sign) => sign.trim());
    assert.deepEqual(shape(es), shape(en), name);
    assert.notEqual(/^# .+$/m.exec(es ?? '')?.[0], undefined, name);
  }
});

test('the list of changes says in each language as much as in the other, of the same names', () => {
  const source = readFileSync(join(projectRoot, 'docs/changelog.md'), 'utf8');
  const [es = [], en = []] = guideLanguages.map((language) =>
    ofLanguage(source, language)
      .split(/^(?=- |## )/m)
      .map((part) => ({
        part,
        sign: part.slice(0, 2),
        names: new Set([...part.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\s+/g, ' '))),
      })),
  );
  assert.equal(es.length, en.length);
  for (const [i, { part, sign, names }] of es.entries()) {
    assert.equal(sign, en[i]!.sign, part);
    assert.deepEqual(names, en[i]!.names, part);
    const has_prose = /[a-z]/i.test(part.replace(/`[^`]*`|^## \d.*/g, ''));
    if (has_prose) assert.notEqual(part, en[i]!.part);
  }
});

test('the guide to limits states the limits of each plan', () => {
  const text = ofLanguage(sourceOf('limits'), 'en');
  for (const [name, plan] of Object.entries(plans)) {
    const { reads_per_minute, writes_per_minute, email_recipients_per_day } = plan;
    const cells = [reads_per_minute, writes_per_minute, email_recipients_per_day].map((n) =>
      n.toLocaleString('en'),
    );
    assert.ok(text.includes(`| ${[name, ...cells].join(' | ')} |`), name);
  }
  assert.equal(
    ofLanguage(sourceOf('limits'), 'es')
      .replaceAll('.', '')
      .match(/\d{2,}/g)
      ?.slice(0, 12)
      .join(),
    text
      .replaceAll(',', '')
      .match(/\d{2,}/g)
      ?.slice(0, 12)
      .join(),
  );
});

test('the guide to webhooks states what counts as received, and how often and how long a delivery is repeated', () => {
  const hours = Math.floor(retryDelaysMs.reduce((sum, ms) => sum + ms, 0) / 3_600_000);
  const received = Array.from({ length: 500 }, (_, i) => i + 100).filter(isSuccess);
  assert.equal(retryDelaysMs.length, 7);
  for (const [language, and, times, days] of [
    ['es', 'y', 'siete veces', 'días y'],
    ['en', 'and', 'seven times', 'days and'],
  ] as const) {
    const text = ofLanguage(sourceOf('webhooks'), language);
    assert.ok(text.includes(` ${received.slice(0, -1).join(', ')} ${and} ${received.at(-1)} `), language);
    assert.ok(text.includes(times), language);
    assert.match(text, new RegExp(` ${Math.floor(hours / 24)} ${days} ${hours % 24} h`), language);
  }
});

test('given the guides, when they are fetched in both languages, then their links and their Markdown are there', async (t) => {
  const app = await startApp(t);
  const targets = new Set<string>();
  for (const language of guideLanguages)
    for (const name of guideNames) {
      const path = `/docs/guides/${language}/${name}`;
      const { status, text } = await app.get(path);
      assert.equal(status, 200, path);
      assert.ok(text.includes(`<html lang="${language}">`), path);
      assert.doesNotMatch(text, new RegExp(address.replaceAll('.', '\\.')), path);
      for (const [, target = ''] of text.matchAll(/href="([^"]+)"/g))
        if (!target.startsWith('data:')) targets.add(new URL(target, `${app.url}${path}`).href);
    }
  const pages = Map.groupBy([...targets], (target) => new URL(target).pathname);
  for (const [pathname, of_page] of pages) {
    const { status, text } = await app.get(pathname);
    for (const target of of_page) {
      const { hash, origin } = new URL(target);
      assert.equal(origin, app.url, target);
      assert.equal(status, 200, target);
      if (hash !== '') assert.ok(text.includes(`id="${decodeURIComponent(hash.slice(1))}"`), target);
    }
  }
});

test('given the events and the scopes, when they are fetched, then each page says all of it in its own language', async (t) => {
  const app = await startApp(t);
  const names = { es: 'Español', en: 'English' };
  const all_links = new Set<string>();
  for (const [paths, texts] of [
    [eventsPath, eventCatalog.map(({ description }) => description)],
    [
      scopesPath,
      [...scopeCatalogue.map(({ description }) => description), ...scopeGroups.map(({ title }) => title)],
    ],
  ] as const)
    for (const language of guideLanguages) {
      const other = language === 'es' ? 'en' : 'es';
      const { status, text } = await app.get(paths[language]);
      assert.equal(status, 200);
      assert.ok(text.includes(`<html lang="${language}">`), paths[language]);
      assert.ok(
        text.includes(`<a href="${paths[other]}" lang="${other}" hreflang="${other}">${names[other]}</a>`),
      );
      const markdown = (await app.get(`${paths[language]}.md`)).text;
      for (const words of texts) {
        assert.ok(text.includes(words[language]), words[language]);
        assert.ok(markdown.includes(words[language]), words[language]);
        if (words.es !== words.en) assert.ok(!text.includes(words[other]), words[other]);
      }
      for (const [, link = ''] of text.matchAll(/href="(\/[^"#]+)/g)) all_links.add(link);
    }
  for (const link of all_links) assert.equal((await app.get(link)).status, 200, link);
  const { body: found } = await app.get('/docs/search.json');
  for (const language of guideLanguages)
    assert.ok(found.some(([, , , address]: string[]) => address === `${eventsPath[language]}#invoice.paid`));
});

test('given /llms.txt, when an agent follows it, then every page is there as Markdown', async (t) => {
  const app = await startApp(t);
  const { text, headers } = await app.get('/llms.txt');
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, link = '']) => link);
  const pages = links.filter((link) => link.endsWith('.md'));
  for (const [name, count] of Object.entries({ guides: 22, reference: 22, '': 50 }))
    assert.ok(pages.filter((link) => link.includes(`/docs/${name}`)).length >= count, name);
  for (const link of [...links, `${app.url}/docs/errors/invalid_api_key.md`]) {
    const answer = await app.get(link.slice(app.url.length));
    assert.equal(answer.status, 200, link);
    if (!link.endsWith('.md')) continue;
    assert.equal(answer.headers['content-type'], 'text/markdown; charset=utf-8');
    assert.match(answer.text, /^# \S/m, link);
    const outside_of_code = answer.text.replace(/```.*?\n```|`[^`]*`/gs, '');
    assert.doesNotMatch(
      outside_of_code,
      /<\/?(?:p|ul|li|div|span|code|small|pre)\b|&(?:lt|gt|quot|amp);/,
      link,
    );
  }
});

test('given the list of changes, when it is fetched, then it is in both languages, and pages of an older version lead to the Spanish one', async (t) => {
  const app = await startApp(t);
  const [es, en] = [await app.get(changelogPath.es), await app.get(changelogPath.en)];
  assert.match(
    es.text,
    /<html lang="es">.*<h1>Versiones de la API<.*<h2 id="2026-10-01-ultima">.*La primera versión/s,
  );
  assert.match(
    en.text,
    /<html lang="en">.*<h1>Versions of the API<.*<h2 id="2026-10-01-latest">.*The first version/s,
  );
  for (const { text } of [es, en]) assert.doesNotMatch(text, /&lt;!--/);
  const older = await app.get('/docs/reference/verifactu?version=2026-06-01');
  assert.match(
    older.text,
    /<a href="\/docs\/es\/changelog#2026-10-01-ultima">2026-10-01<\/a>: <code>subsanar<\/code> responde/,
  );
});

test('given the feed of the changelog, then it has an entry of every change, and a reader can take it', async (t) => {
  const app = await startApp(t);
  const { text, headers } = await app.get('/docs/changelog.atom');
  const { text: spanish } = await app.get('/docs/es/changelog.atom');
  assert.equal(headers['content-type'], 'application/atom+xml; charset=utf-8');
  const document = XmlDocument.fromString(text);
  t.after(() => document.dispose());
  const feed = { a: 'http://www.w3.org/2005/Atom' };
  const texts = (path: string) => document.find(path, feed).map((node) => node.content);
  const titles = texts('//a:entry/a:title');
  assert.deepEqual(titles.slice(0, 3), [
    "A line without a tax takes the company's default VAT.",
    'subsanar answers the new record.',
    'Billing records are retried without limit.',
  ]);
  for (const part of ['id', 'updated', 'link', 'content'])
    assert.equal(document.find(`//a:entry[a:${part}]`, feed).length, titles.length, part);
  assert.equal(new Set(texts('//a:id')).size, titles.length + 1);
  assert.match(texts('/a:feed/a:updated')[0] ?? '', /^2026-10-01T/);
  const other = XmlDocument.fromString(spanish);
  t.after(() => other.dispose());
  const contents = (path: string) => other.find(path, feed).map((node) => node.content);
  assert.equal(contents('//a:entry').length, titles.length);
  assert.equal(contents('//a:entry/a:title')[1], 'subsanar responde el registro nuevo.');
  const ids = [...texts('//a:id'), ...contents('//a:id')];
  assert.equal(new Set(ids).size, ids.length);
});

test('given addresses that people type, then they lead to the pages', async (t) => {
  const app = await startApp(t);
  const leads = async (path: string, headers = {}) => {
    const answer = await app.get(path, { headers });
    return [answer.status, answer.headers.location];
  };
  assert.deepEqual(await leads('/docs/'), [308, '/docs']);
  assert.deepEqual(await leads('/docs/guides'), [303, '/docs/guides/es']);
  assert.deepEqual(await leads('/docs/guides', { 'accept-language': 'en-GB,en;q=0.9' }), [
    303,
    '/docs/guides/en',
  ]);
  assert.equal((await app.get('/docs?version=2026-06-01')).status, 200);
  for (const wrong of ['2020-01-01', 'x', '2026-06-01&version=x'])
    for (const path of ['/docs', '/docs/reference/events.md'])
      assert.equal((await app.get(`${path}?version=${wrong}`)).status, 404, `${path} ${wrong}`);
  const { text } = await app.get('/docs/reference/verifactu.md');
  assert.doesNotMatch(text, /Service-Version|new_record_id/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalog } from '../../modules/catalog.ts';
import { declaredProblems } from '../../kernel/problem.ts';
import { makeSearchIndex } from './search-index.ts';
import { errorsPath } from './served-addresses.ts';
import { latestContext, listPages } from './site.ts';

test('every address that the search gives is there, and no page has an id twice', async () => {
  const pages = listPages(catalog);
  const ids = new Map<string, Set<string>>();
  for (const { path, make } of pages) {
    const found = [...make(latestContext('http://folio.test')).main.text.matchAll(/ id="([^"]+)"/g)].map(
      ([, id = '']) => id,
    );
    ids.set(path, new Set(found));
    assert.equal(ids.get(path)?.size, found.length, path);
  }
  const codes = new Set(
    Object.values(errorsPath).flatMap((path) => declaredProblems().map(({ code }) => `${path}/${code}`)),
  );
  const entries = await makeSearchIndex(catalog, pages);
  for (const [kind, title, , address] of entries) {
    const [path = '', id] = address.split('#');
    if (kind === 'error') assert.ok(codes.has(address), address);
    else assert.ok(id === undefined ? ids.has(path) : ids.get(path)?.has(id), `${title}: ${address}`);
  }
  const found = (kind: string) => entries.filter((entry) => entry[0] === kind).map(([, title]) => title);
  assert.equal(found('operation').length, catalog.length);
  for (const name of ['tax_rate', 'external_id', 'starting_after'])
    assert.ok(found('field').includes(name), name);
  assert.ok(found('guide').includes('Su primera factura') && found('guide').includes('Your first invoice'));
});

/** The collection as Postman's own library reads it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import postman from 'postman-collection';
import { catalog } from '../../modules/catalog.ts';
import { makePostmanCollection } from './postman-collection.ts';
import { groupByTag } from './tags.ts';

const public_url = 'https://folio.example';
const collection = new postman.Collection(makePostmanCollection(catalog, public_url));
const folders = collection.items.all();

test('each tag is a folder, and each example of its operations a request in it', () => {
  const groups = groupByTag(catalog);
  assert.deepEqual(
    folders.map(({ name, items }) => [name, items.all().length]),
    groups.map(({ title, operations }) => [title, operations.flatMap(({ examples }) => examples).length]),
  );
});

test('every request goes to the path of its operation, with its method, key and body', () => {
  const variables = Object.fromEntries(collection.variables.all().map(({ key, value }) => [key, value]));
  assert.deepEqual(variables, { base_url: public_url, api_key: '' });
  const met = new Set<string>();
  for (const { request } of folders.flatMap(({ items }) => items.all())) {
    const name = /^`(\w+)`/.exec(String(request.description))?.[1] ?? '';
    const operation = catalog.find((one) => one.name === name)!;
    met.add(name);
    const filled = new RegExp(
      `^/${request.url.path.map((part) => (part.startsWith(':') ? '[^/]+' : part)).join('/')}$`,
    );
    assert.equal(`/${request.url.path.join('/')}`, operation.path);
    assert.match(request.url.getPath(), filled, name);
    assert.doesNotMatch(request.url.getPath(), /:/, name);
    assert.equal(request.url.getHost(), '{{base_url}}');
    assert.equal(request.method, operation.method);
    assert.equal(request.headers.has('Idempotency-Key'), operation.idempotency !== 'none', name);
    const { body } = request;
    if (body) assert.doesNotThrow(() => JSON.parse(body.raw), name);
    for (const { key } of request.url.query.all())
      assert.ok(key && key in (operation.query?.properties ?? {}), `${name} ${key}`);
  }
  assert.deepEqual([...met].sort(), catalog.map(({ name }) => name).sort());
  assert.equal(collection.auth?.type, 'bearer');
});

/** Lists by name stand as in a Spanish dictionary, on every page and both ways (ADR 99). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';

type Item = { id: string; name: string };

const sorted = [
  '10 de Mayo SL',
  'Alvarado',
  'Álvarez',
  'Álvarez y Cía',
  'ávila',
  'Çelik',
  'Cuba',
  'Núñez',
  'Nutria',
  'nzz',
  'Ñandú',
  'Oca',
  'Zapata',
];
const made = ['Zapata', 'Ñandú', 'Álvarez', 'nzz', '10 de Mayo SL', 'Oca', 'Çelik', 'Núñez'];
const unsorted = [...made, ...sorted.filter((name) => !made.includes(name))];

const lists: [path: string, body: (name: string, i: number) => object, filter: Record<string, string>][] = [
  ['/v1/clients', (name) => ({ name }), { is_active: 'true' }],
  ['/v1/suppliers', (name) => ({ name }), { is_active: 'true' }],
  ['/v1/products', (name) => ({ name }), { 'created[gte]': '2020-01-01' }],
  ['/v1/price-lists', (name, i) => ({ name, code: `T${i}` }), { is_active: 'true' }],
  ['/v1/taxes', (name) => ({ name, kind: 'other', rate: 1 }), { kind: 'other' }],
];

for (const [path, bodyOf, filter] of lists)
  test(`given names with accents, when ${path} is read by name, then accents do not count and ñ comes after n`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const start = (await app.get(path, { key, query: { limit: '100' } })).body.data as Item[];
    for (const [i, name] of unsorted.entries())
      assert.equal((await app.post(path, { key, body: bodyOf(name, i) })).status, 201);
    const own = ({ id }: Item) => !start.some((other) => other.id === id);
    for (const sort of ['name', '-name'])
      for (const query of [{}, filter]) {
        const names: string[] = [];
        let cursor: string | null = null;
        do {
          const page = { sort, limit: '3', ...query, ...(cursor === null ? {} : { starting_after: cursor }) };
          const { body } = await app.get(path, { key, query: page });
          names.push(...body.data.filter(own).map(({ name }: Item) => name));
          cursor = body.next_cursor;
        } while (cursor !== null);
        assert.deepEqual(names, sort === 'name' ? sorted : sorted.toReversed());
      }
  });

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../test/harness.ts';
import { likePattern, partsOf, textCondition, textFinder } from './text-search.ts';

const line = { description: 'x', unit_price: 10, tax_rate: 21 };

/** In each list that takes a text: `make` adds an item of this name. */
const lists: [path: string, make: (name: string) => object][] = [
  ['/v1/clients', (name) => ({ name })],
  ['/v1/suppliers', (name) => ({ name })],
  ['/v1/products', (name) => ({ name: 'x', description: name })],
  ['/v1/taxes', (name) => ({ name, kind: 'other', rate: 1 })],
  ['/v1/price-lists', (name) => ({ name, code: name.slice(0, 12) })],
  ['/v1/invoices', (name) => ({ type: 'F1', client: { name }, lines: [line] })],
];

const names = [
  'Librería Muñoz, S.L.',
  'Libreria Munoz',
  'PELUQUERÍA Açaí',
  'Peluqueria Acai',
  'Librería Muñoz'.normalize('NFD'),
  'Tasa 100 % (a+b) [x] c:\\d_e',
  'Bodegas Arrúe',
];

const cases: [q: string, found: number[]][] = [
  ['libreria', [0, 1, 4]],
  ['LIBRERÍA MUÑOZ', [0, 1, 4]],
  ['librèria múnoz', [0, 1, 4]],
  ['Librería'.normalize('NFD'), [0, 1, 4]],
  ['munoz, s.l.', [0]],
  ['munoz, s_l_', []],
  ['peluqueria acai', [2, 3]],
  ['açaí', [2, 3]],
  ['librera', []],
  ['100 %', [5]],
  ['(a+b)', [5]],
  ['[x]', [5]],
  ['c:\\d', [5]],
  ['\\d_e', [5]],
  ['a.b', []],
  ['a|b', []],
  ['***:a', []],
  ['(?i)a', []],
  ['^lib', []],
  ['arrue', [6]],
];

for (const [path, make] of lists) {
  test(`given names with and without accents, when ${path} is searched, then neither accents nor case matter`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const ids: string[] = [];
    for (const name of names) {
      let body = make(name);
      if ('client' in body) {
        const client = await app.post('/v1/clients', { key, body: body.client });
        body = { ...body, client: undefined, client_id: client.body.data.id };
      }
      const answer = await app.post(path, { key, body });
      assert.equal(answer.status, 201, answer.text);
      ids.push(answer.body.data.id);
    }
    for (const [q, found] of cases) {
      const { status, body, text } = await app.get(path, { key, query: { q, limit: '100' } });
      assert.equal(status, 200, text);
      const got = body.data.map(({ id }: { id: string }) => ids.indexOf(id)).filter((i: number) => i >= 0);
      assert.deepEqual(got.toSorted(), found, q);
    }
  });
}

test('given every printable character, when it is searched for, then it is found as it is', async (t) => {
  const app = await startApp(t);
  const { company_id } = await app.given.company();
  const characters = Array.from({ length: 0x17f - 0x20 }, (_, i) => String.fromCodePoint(0x20 + i))
    .filter((one) => !/\p{Cc}/u.test(one))
    .concat('ḁ', 'ß', '€', '😀', 'ﬁ', '\u0301');
  await app.db.read(company_id, async (tx) => {
    for (const one of characters) {
      // A letter beside it makes each text a regular expression.
      const q = `a${one}z`;
      const text = `1a${one}z1`;
      const [row] = await tx<{ same: boolean; like: boolean; other: boolean }[]>`
        select exists (select from (select lower(${text}) as search) t where true ${textCondition(tx, q)}) as same,
               lower(${text}) like lower(${likePattern(q)}) as like,
               exists (select from (select lower('1a__z1') as search) t where true ${textCondition(tx, q)}) as other`;
      assert.deepEqual({ ...row }, { same: true, like: true, other: false }, `${one} ${one.codePointAt(0)}`);
    }
  });
});

test('given a long text, when trigrams look for it, then its pieces find what the whole finds', async (t) => {
  const app = await startApp(t);
  const { company_id } = await app.given.company();
  assert.deepEqual(partsOf('garcía e hijos'), ['garcía', 'ía e h', ' hijos']);
  for (const one of ['garcía', 'asesorías', 'Κώστας και Σία']) assert.deepEqual(partsOf(one), [], one);
  assert.equal(partsOf('ab'.repeat(50)).length, 8);
  await app.db.read(company_id, async (tx) => {
    for (const [text, q, found] of [
      ['Construcciones García e Hijos SL', 'construcciones garcia', true],
      ['CONSTRUCCIONES GARCI\u0301A', 'Construcciones García', true],
      ['Núñez y Peña (2.º) 100 % 😀 sí', 'nunez y pena (2.º) 100 % 😀 si', true],
      ['Construcciones del García', 'construcciones garcía', false],
      ['García Construcciones', 'construcciones garcía', false],
    ] as const) {
      const [row] = await tx<{ whole: boolean; pieces: boolean }[]>`
        select exists (select from (select lower(${text}) as search) t where true ${textCondition(tx, q)}) as whole,
               exists (select from (select lower(${text}) as search) t where true ${textFinder(tx, q)}) as pieces`;
      assert.deepEqual({ ...row }, { whole: found, pieces: found }, q);
    }
  });
});

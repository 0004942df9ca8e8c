/** What every call of every family obeys: unknown keys, ids of others, repeated calls, profiles (docs/conventions.md). */
import assert from 'node:assert/strict';
import { catalog } from '../../src/modules/catalog.ts';
import { type Case, type Doc, type FamilySetup, given } from './family-setup.ts';
import { goodLine } from './line-faults.ts';
import { assertHidesForeignIds, assertRefused } from './resource-checks.ts';

const invalid = 'parameter_invalid';
const reused = 'idempotency_key_reused';

type Word = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; word: string; body: object | undefined };

/** The operations on one document, as far as their path has no other id. */
function wordsOf({ family, operations = catalog, bodies = {} }: FamilySetup): Word[] {
  const path = `/v1/${family.collection}/:${family.object}`;
  return operations.flatMap((operation) => {
    if (operation.path !== path && !operation.path.startsWith(`${path}/`)) return [];
    const word = operation.path.slice(path.length + 1);
    if (word.includes(':')) return [];
    const needs_body = operation.body !== null && operation.method === 'POST' && !operation.body_optional;
    const body = bodies[word];
    assert.ok(body || !needs_body, `${operation.name} needs a valid body`);
    return [{ method: operation.method, word, body: operation.method === 'PUT' ? { notes: 'x' } : body }];
  });
}

const unknownKeys: Case = [
  'given a key that nobody knows, when any operation gets it, then it is named and nothing is done',
  async (setup, t) => {
    const { app, company, key, path, body, create, read, lines } = await given(setup, t);
    const made = await create();
    const events = await app.eventTypes(company, made.id);
    for (const { method, word, body: valid } of wordsOf(setup)) {
      const at = `${path}/${made.id}${word && `/${word}`}`;
      const sent = method === 'GET' ? { query: { colour: 'red' } } : { body: { ...valid, colour: 'red' } };
      assertRefused(await app.call(method, at, { key, ...sent }), 422, invalid, 'colour');
    }
    const bodies: [sent: object, param: string][] = [
      [{ colour: 'red' }, 'colour'],
      [{ lines: [lines[0], { ...lines[1], colour: 'red' }] }, 'lines.1.colour'],
      [{ total: 1 }, 'total'],
      [{ custom_fields: [{ field: 'Obra', value: '7', colour: 'red' }] }, 'custom_fields.0.colour'],
    ];
    for (const [more, param] of bodies) {
      assertRefused(await app.post(path, { key, body: { ...body, ...more } }), 422, invalid, param);
      assertRefused(await app.put(`${path}/${made.id}`, { key, body: more }), 422, invalid, param);
    }
    assertRefused(await app.get(path, { key, query: { colour: 'red' } }), 422, invalid, 'colour');
    assert.deepEqual(await read(made.id), made);
    assert.deepEqual(await app.eventTypes(company, made.id), events);
    assert.equal((await app.get(path, { key })).body.data.length, 1);
  },
];

const foreignIds: Case = [
  'given ids of another company, in a path or a body, then they are unknown, and so is its sandbox',
  async (setup, t) => {
    const { app, company, key, path, body, create, lines, put } = await given(setup, t);
    const foreign = await given(setup, t);
    const theirs = await foreign.create();
    for (const { method, word, body: sent } of wordsOf(setup)) {
      const at = `${path}/${theirs.id}${word && `/${word}`}`;
      const answer = await app.call(method, at, { key, ...(sent ? { body: sent } : {}) });
      assertRefused(answer, 404, 'resource_not_found');
    }
    await assertHidesForeignIds(app, 'GET', (at) => `${path}/${at}`, theirs.id, { key });
    assert.deepEqual(await foreign.read(theirs.id), theirs);
    const tax = await foreign.make('/v1/taxes', { name: 'IVA', kind: 'vat', rate: 21 });
    const series = await foreign.make('/v1/series', {
      code: 'OTRA',
      document_type: setup.family.series({}),
    });
    const mine = await create();
    const bodies: [sent: object, param: string, line_index?: number][] = [
      [{ client_id: foreign.client.id }, 'client_id'],
      [{ series_id: series.id }, 'series_id'],
      [{ lines: [{ ...lines[0], product_id: foreign.product.id }] }, 'lines.0.product_id', 0],
      [{ lines: [lines[0], { ...goodLine, taxes_id: tax.id }] }, 'lines.1.taxes_id', 1],
      [{ lines: [lines[0], { id: theirs.lines[0]!.id, quantity: 1 }] }, 'lines.1.id', 1],
    ];
    for (const [more, param, line_index] of bodies) {
      for (const answer of [
        await app.post(path, { key, body: { ...body, ...more } }),
        await put(mine.id, more),
      ]) {
        assertRefused(answer, 422, invalid, param);
        assert.equal(answer.body.error.line_index, line_index, param);
      }
    }
    assert.deepEqual((await app.get(path, { key: company.test_key })).body.data, []);
    for (const param of ['client_id', 'series_id', 'product_id']) {
      const of_other = { client_id: foreign.client.id, series_id: series.id, product_id: foreign.product.id };
      const query = { [param]: of_other[param as 'client_id'] };
      assert.deepEqual((await app.get(path, { key, query })).body.data, [], param);
    }
  },
];

const replays: Case = [
  'given a key of a call, when the call is repeated, then it is done once and answered again',
  async (setup, t) => {
    const { app, company, key, path, body } = await given(setup, t);
    const word = setup.numbering_move ?? 'pause';
    const withKey = (name: string) => ({ key, headers: { 'idempotency-key': name } });
    const first = await app.post(path, { ...withKey('k1'), body });
    assert.deepEqual([first.status, first.headers['idempotent-replayed']], [201, undefined]);
    const again = await app.post(path, { ...withKey('k1'), body });
    assert.deepEqual(
      [again.status, again.headers['idempotent-replayed'], again.text],
      [201, 'true', first.text],
    );
    const other = await app.post(path, { ...withKey('k1'), body: { ...body, notes: 'x' } });
    assertRefused(other, 409, reused);
    const at = `${path}/${first.body.data.id}`;
    const moved = await app.post(`${at}/${word}`, withKey('k2'));
    assert.equal(moved.status, 200, moved.text);
    const events = await app.eventTypes(company, first.body.data.id);
    const repeated = await app.post(`${at}/${word}`, withKey('k2'));
    assert.deepEqual(
      [repeated.status, repeated.headers['idempotent-replayed'], repeated.text],
      [200, 'true', moved.text],
    );
    assertRefused(await app.post(`${at}/duplicate`, withKey('k2')), 409, reused);
    assert.deepEqual(await app.eventTypes(company, first.body.data.id), events);
    assert.equal((await app.get(path, { key })).body.data.length, 1);
    for (const name of ['', 'k'.repeat(256)])
      assert.equal((await app.post(path, { ...withKey(name), body })).status, 422, name);
  },
];

const externalIds: Case = [
  'given an external id, when it comes again, then it is answered with what exists, or refused for another request',
  async (setup, t) => {
    const { app, company, key, path, body, create, put, act, read } = await given(setup, t);
    const made = await create({ external_id: 'w-1' });
    const post = (more: object) => app.post(path, { key, body: { ...body, external_id: 'w-1', ...more } });
    const replayed = async (more: object = {}) => {
      const { status, headers, body: told, text } = await post(more);
      assert.deepEqual([status, headers['idempotent-replayed']], [200, 'true'], text);
      // An issued invoice is answered with its blocks.
      const { pdf: _, verifactu: __, ...data } = told.data;
      const { verifactu: ___, ...shown } = await read(made.id);
      assert.deepEqual(data, shown);
    };
    await replayed();
    // Equal total.
    const line = { description: 'Otra', unit_price: made.total, tax_rate: 0, exemption_reason: 'E1' };
    await replayed({ lines: [line], notes: 'Otra' });
    const refused = await post({ lines: [{ ...line, unit_price: 9999 }] });
    assertRefused(refused, 409, reused, 'external_id');
    assert.deepEqual(
      [refused.body.error.type, refused.body.error.subcode],
      ['idempotency_error', 'unattended_replay_mismatch'],
    );
    assertRefused(await put(made.id, { external_id: 'w-2' }), 422, invalid, 'external_id');
    // The request is known, whatever became of its document.
    assert.equal((await put(made.id, { lines: [{ ...line, unit_price: 3 }] })).status, 200);
    await replayed();
    if (setup.numbering_move !== null) await act(made.id, setup.numbering_move);
    await replayed();
    const answers = await Promise.all(Array.from({ length: 4 }, () => post({ external_id: 'w-3' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201]);
    assert.equal(new Set(answers.map((answer) => answer.body.data.id)).size, 1);
    assert.equal((await app.get(path, { key })).body.data.length, 2);
    const told = await app.sql<{ count: number }[]>`
      select count(*)::int as count from events
       where company_id = ${company.company_id} and type = ${`${setup.family.object}.created`}`;
    assert.equal(told[0]?.count, 2);
    const theirs = await given(setup, t);
    assert.notEqual((await theirs.create({ external_id: 'w-1' })).id, made.id);
  },
];

const profiles: Case = [
  'given a master, when it names its child in any operation, then it works for the child, and for nobody else',
  async (setup, t) => {
    const { app, company, key, path, create } = await given(setup, t);
    const child = await app.given.company({ parent_id: company.company_id, plan: 'free' });
    const stranger = await app.given.company();
    const mine = await create();
    const headers = { 'x-active-profile': child.company_id };
    assert.deepEqual((await app.get(path, { key, headers })).body.data, []);
    for (const { method, word, body } of wordsOf(setup)) {
      const at = `${path}/${mine.id}${word && `/${word}`}`;
      const answer = await app.call(method, at, { key, headers, ...(body ? { body } : {}) });
      assertRefused(answer, 404, 'resource_not_found');
    }
    const unknown = { 'x-active-profile': stranger.company_id };
    assertRefused(await app.get(path, { key, headers: unknown }), 404, 'profile_not_found');
    const lines = [goodLine];
    const client = await app.post('/v1/clients', { key, headers, body: { name: 'Hija' } });
    const made = await app.post(path, {
      key,
      headers,
      body: { ...setup.needs, client_id: client.body.data.id, lines },
    });
    assert.equal(made.status, 201, made.text);
    const { data } = (await app.get(path, { key: child.live_key })).body;
    assert.deepEqual(
      data.map(({ id }: Doc) => id),
      [made.body.data.id],
    );
    assert.equal((await app.get(path, { key })).body.data.length, 1);
  },
];

export const callCases: readonly Case[] = [unknownKeys, foreignIds, replays, externalIds, profiles];

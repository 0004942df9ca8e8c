/** The cases of every family of sales documents. A family's own test says how to start it and what it adds. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newId } from '../../src/kernel/uuid7.ts';
import { type Family, plainEvent, sortFields } from '../../src/modules/sales/index.ts';
import type { App, StartOptions, TestCompany } from '../harness.ts';
import { mailSettings, startMailServer } from './mail-server.ts';
import {
  assertFilters,
  assertHidesForeignIds,
  assertPages,
  assertRefused,
  assertRoundTrip,
} from './resource-checks.ts';

export type FamilySetup = {
  family: Family;
  start(t: TestContext, options?: StartOptions): Promise<App>;
  /** The last word of the path of the move: `issue`. */
  numbering_move: string;
  /** The answer to an edit of a numbered document's content. */
  edit_when_numbered: 200 | 409;
  /** The answer to a deletion of a numbered document; 409 when left out. */
  delete_when_numbered?: 200 | 409;
};

type Doc = Record<string, unknown> & {
  id: string;
  number: string;
  status: string;
  public_url: string;
  total: number;
};

async function given({ family, start }: FamilySetup, t: TestContext, options: StartOptions = {}) {
  const app = await start(t, options);
  const company: TestCompany = await app.given.company();
  const key = company.live_key;
  const path = `/v1/${family.collection}`;
  const make = async (at: string, body: unknown) => {
    const answer = await app.post(at, { key, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data as Doc;
  };
  const client = await make('/v1/clients', {
    name: 'Librería Norte',
    tax_id: 'A58818501',
    email: 'norte@example.com',
  });
  const product = await make('/v1/products', { name: 'Cuaderno', unit_price: 2.5 });
  const lines = [
    { description: 'Reforma', quantity: 2, unit_price: 10, tax_rate: 21 },
    { product_id: product.id, quantity: 3, tax_rate: 10 },
  ];
  const body = { client_id: client.id, lines };
  const act = async (id: string, word: string, sent?: unknown, status = 200) => {
    const answer = await app.post(`${path}/${id}/${word}`, {
      key,
      ...(sent === undefined ? {} : { body: sent }),
    });
    assert.equal(answer.status, status, answer.text);
    return answer.body.data as Doc;
  };
  return {
    app,
    company,
    key,
    path,
    make,
    client,
    product,
    lines,
    body,
    act,
    create: (more: object = {}) => make(path, { ...body, ...more }),
  };
}

type Case = (setup: FamilySetup, t: TestContext) => Promise<void>;

const cases: readonly (readonly [title: string, run: Case])[] = [
  [
    'given all that a draft can say, when it is created, then it is answered, read and sent back as it is',
    async (setup, t) => {
      const { object } = setup.family;
      const { app, company, key, path, create, client, product } = await given(setup, t);
      const made = await create({
        description: 'Obra',
        notes: 'Gracias',
        issued_on: '2026-01-10',
        currency: 'EUR',
        prices_include_tax: true,
        external_id: 'web-1',
        metadata: { a: 'b' },
        tags: ['x', 'y'],
        custom_fields: [{ field: 'Obra', value: '7' }],
      });
      const shown = {
        object,
        number: null,
        status: 'draft',
        public_url: null,
        description: 'Obra',
        total: 27.5,
        external_id: 'web-1',
      };
      assert.deepEqual(Object.fromEntries(Object.keys(shown).map((name) => [name, made[name]])), shown);
      assert.deepEqual((made.client as Doc).id, client.id);
      const [first, second] = made.lines as Record<string, unknown>[];
      assert.equal(first?.object, `${object}_line`);
      assert.deepEqual(second?.product, { id: product.id, name: 'Cuaderno' });
      assert.deepEqual((await app.get(`${path}/${made.id}`, { key })).body.data, made);
      assert.deepEqual(await app.eventTypes(company, made.id), [`${object}.created`]);
      await assertRoundTrip(app, company, path, made.id);
      const again = await app.post(path, {
        key,
        body: {
          client_id: client.id,
          lines: [{ description: 'Reforma', unit_price: 27.5, tax_rate: 0, exemption_reason: 'E1' }],
          external_id: 'web-1',
        },
      });
      assert.deepEqual(
        [again.status, again.body.data.id, again.headers['idempotent-replayed']],
        [200, made.id, 'true'],
      );
    },
  ],
  [
    'given a draft, when it is edited, then lines keep what is not sent, and each change has its event',
    async (setup, t) => {
      const { object } = setup.family;
      const { app, company, key, path, create } = await given(setup, t);
      const { id, lines } = await create();
      const put = (body: unknown) => app.put(`${path}/${id}`, { key, body });
      const [first] = lines as { id: string }[];
      const edited = await put({
        description: 'Otra',
        lines: [
          { id: first?.id, quantity: 5 },
          { description: 'Más', unit_price: 1, tax_rate: 4 },
        ],
      });
      assert.equal(edited.status, 200, edited.text);
      assert.deepEqual(
        edited.body.data.lines.map((line: Doc) => [line.quantity, line.unit_price]),
        [
          [5, 10],
          [1, 1],
        ],
      );
      assert.equal(edited.body.data.total, 61.54);
      assert.equal((await put({ metadata: { a: 'b' } })).status, 200);
      assert.deepEqual(await app.eventTypes(company, id), [
        `${object}.created`,
        `${object}.updated`,
        plainEvent(setup.family, 'metadata_changed') ?? `${object}.updated`,
      ]);
      const refusals: [body: object, param: string, line_index?: number][] = [
        [{ colour: 'red' }, 'colour'],
        [{ total: 1 }, 'total'],
        [{ lines: [] }, 'lines'],
        [{ currency: 'XXQ' }, 'currency'],
        [{ lines: [{ id: newId(), quantity: 1 }] }, 'lines.0.id', 0],
        [{ lines: [{ description: 'x', unit_price: 1.123456789 }] }, 'lines.0.unit_price'],
      ];
      for (const [body, param, line_index] of refusals) {
        const answer = await put(body);
        assertRefused(answer, 422, 'parameter_invalid', param);
        assert.equal(answer.body.error.line_index, line_index, param);
      }
    },
  ],
  [
    'given ids of another company in a body, when they are sent, then they are unknown',
    async (setup, t) => {
      const { family } = setup;
      const { app, key, path, body, lines } = await given(setup, t);
      const foreign = await given(setup, t);
      const tax = await foreign.make('/v1/taxes', { name: 'IVA', kind: 'vat', rate: 21 });
      const series = await foreign.make('/v1/series', { code: 'OTRA', document_type: family.series({}) });
      const cases: [body: object, param: string][] = [
        [{ client_id: foreign.client.id }, 'client_id'],
        [{ series_id: series.id }, 'series_id'],
        [{ lines: [{ ...lines[0], product_id: foreign.product.id }] }, 'lines.0.product_id'],
        [{ lines: [{ description: 'x', unit_price: 1, taxes_id: tax.id }] }, 'lines.0.taxes_id'],
      ];
      for (const [more, param] of cases)
        assertRefused(
          await app.post(path, { key, body: { ...body, ...more } }),
          422,
          'parameter_invalid',
          param,
        );
    },
  ],
  [
    'given documents, when they are listed by each filter and order, then those that match come',
    async (setup, t) => {
      const { family, numbering_move: move } = setup;
      const { app, key, path, make, create, act } = await given(setup, t);
      const other = await make('/v1/clients', { name: 'Papelera Sur', tax_id: 'B12345674' });
      const series = await make('/v1/series', { code: 'OBRAS', document_type: family.series({}) });
      const line = (unit_price: number) => ({
        lines: [{ description: 'x', unit_price, tax_rate: 0, exemption_reason: 'E1' }],
      });
      const a = await create({ ...line(30), tags: ['obra'], external_id: 'w-1' });
      app.clock.advance(60_000);
      const b = await create({ ...line(10), client_id: other.id, series_id: series.id });
      app.clock.advance(60_000);
      const numbered = await act((await create({ ...line(20), series_id: series.id })).id, move);
      const [A, B, C] = [a.id, b.id, numbered.id];
      const day = String(numbered.issued_on);
      const between = new Date(app.clock.now().getTime() - 30_000).toISOString();
      await assertFilters(app, path, key, [
        [{}, [A, B, C]],
        [{ q: 'papelera' }, [B]],
        [{ q: numbered.number.slice(0, 6).toLowerCase() }, [C]],
        [{ status: 'draft' }, [A, B]],
        [{ 'status[in]': `draft,${numbered.status}` }, [A, B, C]],
        [{ client_id: other.id }, [B]],
        [{ series_id: series.id }, [B, C]],
        [{ number: numbered.number }, [C]],
        [{ external_id: 'w-1' }, [A]],
        [{ tag: 'obra' }, [A]],
        [{ 'issued_on[gte]': day, 'issued_on[lte]': day }, [C]],
        [{ 'issued_on[gt]': day }, []],
        [{ 'created[gte]': between }, [C]],
        [{ 'created[lt]': between }, [A, B]],
        [{ 'total[gt]': '10', 'total[lte]': '30.00' }, [A, C]],
        [{ status: 'draft', client_id: other.id, 'total[lt]': '5' }, []],
      ]);
      await assertPages(app, path, key, {}, { created: [A, B, C], number: [A, B, C] });
      if (!sortFields(family).includes('total')) return;
      await assertPages(app, path, key, {}, { total: [B, C, A] });
      // Equal totals keep the order of creation.
      const [d, e] = [await create(line(10)), await create(line(30))];
      await assertPages(app, path, key, {}, { total: [B, d.id, C, A, e.id] });
    },
  ],
  [
    'given a numbered document, when it is seen, then number, paper, page and e-mail say the same',
    async (setup, t) => {
      const { numbering_move: move } = setup;
      const { object } = setup.family;
      const mail = await startMailServer(t);
      const { app, company, key, path, create, act } = await given(setup, t, { env: mailSettings(mail) });
      const { id } = await create();
      const numbered = await act(id, move);
      assert.match(numbered.number, /000001$/);
      const pdf = await app.get(`${path}/${id}/pdf`, { key });
      assert.deepEqual([pdf.status, pdf.bytes.subarray(0, 5).toString()], [200, '%PDF-']);
      const { url } = (await app.get(`${path}/${id}/pdf-link`, { key })).body.data;
      const opened = await app.get(new URL(url).pathname, {});
      assert.deepEqual([opened.status, opened.bytes.subarray(0, 5).toString()], [200, '%PDF-']);
      const page = await app.get(new URL(numbered.public_url).pathname, {});
      assert.equal(page.status, 200, page.text);
      assert.ok(page.text.includes(numbered.number));
      const sent = await act(id, 'send', { message: 'Aquí lo tiene.' });
      assert.equal((sent.email as Doc).status, 'queued');
      await app.service.worker.runDue(company.company_id);
      const [message] = mail.received;
      assert.deepEqual(message?.to ?? [], ['norte@example.com']);
      assert.ok(message?.message.text?.includes(numbered.number));
      assert.equal(message?.message.attachments.length, 1);
      const types = await app.eventTypes(company, id);
      for (const type of [plainEvent(setup.family, 'number_assigned'), `${object}.email_sent`])
        assert.ok(type === undefined || types.includes(type), String(types));
      const edit = await app.put(`${path}/${id}`, { key, body: { description: 'Otra' } });
      assert.equal(edit.status, setup.edit_when_numbered, edit.text);
      assert.equal((await app.put(`${path}/${id}`, { key, body: { tags: ['z'] } })).status, 200);
      const gone = await app.delete(`${path}/${id}`, { key });
      assert.equal(gone.status, setup.delete_when_numbered ?? 409, gone.text);
    },
  ],
  [
    'given documents, when they are duplicated and deleted, then copies are drafts and drafts go',
    async (setup, t) => {
      const { numbering_move: move } = setup;
      const { object } = setup.family;
      const { app, company, key, path, create, act } = await given(setup, t);
      const made = await create({ external_id: 'w-1', notes: 'Gracias', tags: ['obra'] });
      await act(made.id, move);
      const copy = await act(made.id, 'duplicate', undefined, 201);
      const kept = [copy.status, copy.number, copy.issued_on, copy.external_id, copy.notes, copy.total];
      assert.deepEqual(kept, ['draft', null, null, null, 'Gracias', made.total]);
      assert.deepEqual(await app.eventTypes(company, copy.id), [`${object}.created`]);
      const gone = await app.delete(`${path}/${copy.id}`, { key });
      assert.deepEqual(gone.body.data, { id: copy.id, object, deleted: true });
      assertRefused(await app.get(`${path}/${copy.id}`, { key }), 404, 'resource_not_found', object);
      await assertFilters(app, path, key, [[{ tag: 'obra' }, [made.id]]]);
    },
  ],
  [
    'given the id of another company, then every operation answers as for none',
    async (setup, t) => {
      const { numbering_move: move } = setup;
      const { app, key, path } = await given(setup, t);
      const foreign = await (await given(setup, t)).create();
      const calls: ['GET' | 'POST' | 'PUT' | 'DELETE', string, object?][] = [
        ['GET', ''],
        ['PUT', '', { notes: 'x' }],
        ['DELETE', ''],
        ['GET', '/pdf'],
        ['GET', '/pdf-link'],
        ['POST', '/duplicate'],
        ['POST', '/send', { to: ['a@example.com'] }],
        ['POST', `/${move}`],
      ];
      for (const [method, word, body] of calls)
        await assertHidesForeignIds(app, method, (id) => `${path}/${id}${word}`, foreign.id, {
          key,
          ...(body ? { body } : {}),
        });
    },
  ],
  [
    'given a product on a document, when it is deleted, then it is archived and stays',
    async (setup, t) => {
      const { app, key, create, product } = await given(setup, t);
      await create();
      await app.delete(`/v1/products/${product.id}`, { key });
      assert.equal((await app.get(`/v1/products/${product.id}`, { key })).body.data.is_active, false);
    },
  ],
];

export function checkFamily(setup: FamilySetup): void {
  for (const [title, run] of cases) test(`${setup.family.object}: ${title}`, (t) => run(setup, t));
}

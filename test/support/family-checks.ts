/** The cases of every family of sales documents. A family's own test says how to start it and what it adds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../src/kernel/uuid7.ts';
import { magicAddresses } from '../../src/modules/emails/index.ts';
import { plainEvent, sortFields } from '../../src/modules/sales/index.ts';
import { callCases } from './family-calls.ts';
import { numberCases } from './family-numbers.ts';
import { ruleCases } from './family-rules.ts';
import { type Case, createdAs, type Doc, type FamilySetup, given } from './family-setup.ts';
import { stateCases } from './family-states.ts';
import { mailSettings, startMailServer } from './mail-server.ts';
import { assertFilters, assertPages, assertRefused, assertRoundTrip, listAll } from './resource-checks.ts';

const cases: readonly Case[] = [
  [
    'given all that a draft can say, when it is created, then it is answered, read and sent back as it is',
    async (setup, t) => {
      const { object, without = [] } = setup.family;
      const { app, company, key, path, create, client, product } = await given(setup, t);
      const of_paper = without.length > 0 ? {} : { number: null, public_url: null };
      const made = await create({
        description: 'Obra',
        notes: 'Gracias',
        ...(without.includes('issued_on') ? {} : { issued_on: '2026-01-10' }),
        currency: 'EUR',
        prices_include_tax: true,
        external_id: 'web-1',
        metadata: { a: 'b' },
        tags: ['x', 'y'],
        custom_fields: [{ field: 'Obra', value: '7' }],
      });
      const shown = {
        object,
        ...of_paper,
        status: createdAs(setup),
        description: 'Obra',
        // The price of a product is without tax.
        total: 28.25,
        external_id: 'web-1',
      };
      assert.deepEqual(Object.fromEntries(Object.keys(shown).map((name) => [name, made[name]])), shown);
      for (const name of without) assert.equal(name in made, false, name);
      assert.deepEqual((made.client as Doc).id, client.id);
      const [first, second] = made.lines;
      assert.equal(first?.object, `${object}_line`);
      assert.deepEqual(second?.product, { id: product.id, name: 'Cuaderno' });
      assert.deepEqual((await app.get(`${path}/${made.id}`, { key })).body.data, made);
      assert.deepEqual(await app.eventTypes(company, made.id), [`${object}.created`]);
      await assertRoundTrip(app, company, path, made.id);
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
        ...(setup.family.is_template ? [] : ([[{ currency: 'XXQ' }, 'currency']] as [object, string][])),
        [{ lines: [{ id: newId(), quantity: 1 }] }, 'lines.0.id', 0],
        [{ lines: [{ description: 'x', unit_price: 1.123456789 }] }, 'lines.0.unit_price', 0],
      ];
      for (const [body, param, line_index] of refusals) {
        const answer = await put(body);
        assertRefused(answer, 422, 'parameter_invalid', param);
        assert.equal(answer.body.error.line_index, line_index, param);
      }
    },
  ],
  [
    'given documents, when they are listed by each filter and order, then those that match come',
    async (setup, t) => {
      const { family, numbering_move: move, sorts = sortFields(setup.family).slice(1) } = setup;
      const { app, key, path, make, create, act, client, product } = await given(setup, t);
      const other = await make('/v1/clients', {
        name: 'Papelera Sur',
        tax_id: 'B12345674',
        vat_id: 'FR40303265045',
      });
      const series = await make('/v1/series', { code: 'OBRAS', document_type: family.series({}) });
      const line = (unit_price: number) => ({
        lines: [{ description: 'x', unit_price, tax_rate: 0, exemption_reason: 'E1' }],
      });
      const a = await create({ ...line(30), tags: ['obra'], external_id: 'w-1', metadata: { pedido: '7' } });
      app.clock.advance(60_000);
      const b = await create({ ...line(10), client_id: other.id, series_id: series.id });
      app.clock.advance(60_000);
      const last = await create({ ...line(20), series_id: series.id });
      const c = move === null ? last : await act(last.id, move);
      const [A, B, C] = [a.id, b.id, c.id];
      const between = new Date(app.clock.now().getTime() - 30_000).toISOString();
      const [born, day] = [createdAs(setup), String(c.issued_on)];
      const of_numbers: [Record<string, string>, string[]][] = [
        [{ q: String(c.number).slice(0, 6).toLowerCase() }, [C]],
        [{ status: born }, [A, B]],
        [{ 'status[in]': `${born},${c.status}` }, [A, B, C]],
        [{ number: c.number }, [C]],
        [{ 'issued_on[gte]': day, 'issued_on[lte]': day }, [C]],
        [{ 'issued_on[gt]': day }, []],
      ];
      await assertFilters(app, path, key, [
        [{}, [A, B, C]],
        [{ q: 'papelera' }, [B]],
        [{ q: 'es B-12345674' }, [B]],
        [{ q: 'fr 40 303265045' }, [B]],
        ...(move === null ? [] : of_numbers),
        [{ client_id: other.id }, [B]],
        [{ series_id: series.id }, [B, C]],
        [{ external_id: 'w-1' }, [A]],
        [{ tag: 'obra' }, [A]],
        [{ 'metadata[pedido]': '7' }, [A]],
        [{ product_id: product.id }, []],
        [{ currency: 'EUR', client_id: client.id }, [A, C]],
        [{ 'created[gte]': between }, [C]],
        [{ 'created[lt]': between }, [A, B]],
        [{ 'updated[lt]': between }, [A, B]],
        [{ 'total[gt]': '10', 'total[lte]': '30.00' }, [A, C]],
        [{ status: born, client_id: other.id, 'total[lt]': '5' }, []],
      ]);
      const known = ['created', ...sorts];
      assert.deepEqual([...sortFields(family)].sort(), known.toSorted());
      for (const sort of sortNames.filter((name) => !known.includes(name)))
        assertRefused(await app.get(path, { key, query: { sort } }), 422, 'parameter_invalid', 'sort');
      // Equal totals keep the order of creation, and drafts come before all numbers.
      const [D, E] = [(await create(line(10))).id, (await create(line(30))).id];
      const orders = { created: [A, B, C, D, E], number: [A, B, D, E, C], total: [B, D, C, A, E] };
      const expected = Object.entries(orders).filter(([name]) => known.includes(name));
      await assertPages(app, path, key, {}, Object.fromEntries(expected));
    },
  ],
  [
    'given some without the value of an order, when they are listed by it, then those come last both ways',
    async (setup, t) => {
      const { app, key, path, create } = await given(setup, t);
      const { field, sooner, later, none } = setup.last_without!;
      const made = [await create(later), await create(none), await create(sooner), await create(none)];
      const [late, one, soon, two] = made.map(({ id }) => id) as [string, string, string, string];
      const walk = async (sort: string) => (await listAll(app, path, key, { sort })).map(({ id }) => id);
      assert.deepEqual(await walk(field), [soon, late, one, two]);
      assert.deepEqual(await walk(`-${field}`), [late, soon, two, one]);
    },
    ({ last_without }) => last_without !== undefined,
  ],
  [
    'given a numbered document, when it is seen, then number, paper, page and e-mail say the same',
    async (setup, t) => {
      const move = setup.numbering_move!;
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
      // A number is never given again, not even that of the last document that went.
      assert.match((await act((await create()).id, move)).number, /000002$/);
    },
    // It needs a service of its own, and what it shows is no answer of a call.
    ({ numbering_move, surface }) => numbering_move !== null && surface === undefined,
  ],
  [
    'given an address that refuses it, when the document is mailed, then the e-mail fails, and its document stays as it was',
    async (setup, t) => {
      const { object, collection } = setup.family;
      const { app, company, lines } = await given(setup, t);
      const key = company.test_key;
      const post = async (path: string, body: unknown): Promise<Doc> => {
        const answer = await app.post(path, { key, body });
        assert.ok(answer.status < 300, answer.text);
        return answer.body.data;
      };
      const client = await post('/v1/clients', { name: 'Norte', tax_id: 'A58818501' });
      const { id } = await post(`/v1/${collection}`, { client_id: client.id, lines: lines.slice(0, 1) });
      const { email: queued, ...sent } = await post(`/v1/${collection}/${id}/send`, {
        to: [magicAddresses.refused],
      });
      await app.service.worker.runDue(company.sandbox_company_id);
      const email = (await app.get(`/v1/emails/${(queued as Doc).id}`, { key })).body.data;
      assert.deepEqual([email.status, email.reason, email.purpose], ['failed', 'refused', object]);
      const told = await app.eventTypes(company.sandbox_company_id, id);
      assert.equal(told.at(-1), `${object}.email_failed`);
      assert.equal((await app.get(`/v1/${collection}/${id}`, { key })).body.data.status, sent.status);
    },
    // The e-mail of a kind that only a test has is no answer of the catalogue.
    ({ family, surface, operations }) =>
      family.mail !== null && surface === undefined && operations === undefined,
  ],
  [
    'given documents, when they are duplicated and deleted, then copies are drafts and drafts go',
    async (setup, t) => {
      const { numbering_move: move, born } = setup;
      const { object } = setup.family;
      const { app, company, key, path, create, act } = await given(setup, t);
      const made = await create({ external_id: 'w-1', notes: 'Gracias', tags: ['obra'] });
      if (move !== null) await act(made.id, move);
      const copy = await act(made.id, 'duplicate', undefined, 201);
      const kept = [copy.status, copy.external_id, copy.notes, copy.total];
      assert.deepEqual(kept, [born?.copied ?? 'draft', null, 'Gracias', made.total]);
      if (move !== null) assert.deepEqual([copy.number, copy.issued_on], [null, null]);
      assert.deepEqual(await app.eventTypes(company, copy.id), [`${object}.created`]);
      const gone = await app.delete(`${path}/${copy.id}`, { key });
      assert.deepEqual(gone.body.data, { id: copy.id, object, deleted: true });
      assertRefused(await app.get(`${path}/${copy.id}`, { key }), 404, 'resource_not_found', object);
      await assertFilters(app, path, key, [[{ tag: 'obra' }, [made.id]]]);
    },
  ],
  [
    'given a product and a contact of a document, when they are deleted, then they are archived and stay, only in that role, and the document is not copied',
    async (setup, t) => {
      const { app, key, path: documents, create, make, product, client } = await given(setup, t);
      const made = await create();
      const { party } = setup.family;
      const other = party === 'client' ? 'supplier' : 'client';
      await make(`/v1/${other}s`, { contact_id: client.id });
      for (const path of [`/v1/products/${product.id}`, `/v1/${party}s/${client.id}`]) {
        await app.delete(path, { key });
        assert.equal((await app.get(path, { key })).body.data.is_active, false, path);
      }
      // No document names it in the other role.
      await app.delete(`/v1/${other}s/${client.id}`, { key });
      assertRefused(await app.get(`/v1/${other}s/${client.id}`, { key }), 404, 'resource_not_found', other);
      const kept = (await app.get(`/v1/${party}s/${client.id}`, { key })).body.data;
      assert.deepEqual([kept.is_active, kept.roles], [false, [party]]);
      const copied = await app.post(`${documents}/${made.id}/duplicate`, { key });
      assertRefused(copied, 422, 'parameter_invalid', `${party}_id`);
    },
  ],
];

/** Of all lists of documents. */
const sortNames = ['total', 'number', 'valid_until', 'delivery_date', 'next_run_at', 'issued_on', 'name'];

export function checkFamily(setup: FamilySetup): void {
  const { family, surface } = setup;
  const which = surface === undefined ? family.object : `${family.object} ${surface}`;
  for (const [title, run, applies] of [...cases, ...ruleCases, ...callCases, ...numberCases, ...stateCases])
    if (applies?.(setup) ?? true) test(`${which}: ${title}`, (t) => run(setup, t));
}

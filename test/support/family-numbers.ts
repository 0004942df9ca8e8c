/** Numbers and series of every family, and that only invoices have records. */
import assert from 'node:assert/strict';
import { seriesKinds } from '../../src/domain/sales/default-series.ts';
import { type Case, type Doc, given } from './family-setup.ts';
import { goodLine } from './line-faults.ts';
import { assertRefused } from './resource-checks.ts';

const rule = 'business_rule_violation';

const numbers: Case = [
  'given numbers of months and years, when any move takes one, then the series tells it with its document, and each new period',
  async (setup, t) => {
    const { app, key, path, make, create, act } = await given(setup, t);
    const { object } = setup.family;
    const move = setup.numbering_move!;
    const kept = { document_type: setup.family.series({}) };
    const yearly = await make('/v1/series', { code: 'ANUAL', reset: 'year', ...kept });
    const monthly = await make('/v1/series', { code: 'MENSUAL', reset: 'month', ...kept });
    const told: [series: string, type: string, document: string | null][] = [];
    const take = async (series_id: string, way: string, body?: object): Promise<number> => {
      const { id, number } = await create({ series_id, ...(way === '' ? body : {}) });
      const numbered = way === '' ? number : (await act(id, way, body)).number;
      told.push([series_id, 'series.number_consumed', id]);
      return Number(numbered.split('-').at(-1));
    };
    const begin = ({ id }: Doc, reset: string) => told.push([id, reset, null]);
    // The number in the series of years, and in that of months.
    for (const [day, of_year, of_month] of [
      ['2026-11-30', 1, 1],
      ['2026-12-01', 2, 1],
      ['2026-12-31', 3, 2],
    ] as const) {
      app.clock.set(`${day}T12:00:00Z`);
      if (day === '2026-12-01') begin(monthly, 'series.month_reset');
      assert.deepEqual([await take(yearly.id, move), await take(monthly.id, move)], [of_year, of_month], day);
    }
    // Each way to a number may be the first of a year, and so of a month.
    const ways = Object.entries(setup.numbering_ways ?? { [move]: undefined });
    for (const [at, [way, body]] of ways.entries()) {
      app.clock.set(`${2027 + at}-01-01T12:00:00Z`);
      begin(yearly, 'series.year_reset');
      begin(monthly, 'series.month_reset');
      assert.deepEqual([await take(yearly.id, way, body), await take(monthly.id, way, body)], [1, 1], way);
    }
    for (const { id: series_id } of [yearly, monthly]) {
      const { body } = await app.get('/v1/events', { key, query: { aggregate_id: series_id, limit: '50' } });
      const seen = body.data.toReversed().filter(({ type }: { type: string }) => type !== 'series.created');
      assert.deepEqual(
        seen.map(({ type, data }: { type: string; data: unknown }) => [type, data]),
        told
          .filter(([of]) => of === series_id)
          .map(([, type, id]) => [type, { series: { id: series_id }, ...(id && { [object]: { id } }) }]),
        path,
      );
    }
  },
  ({ numbering_move, surface }) => numbering_move !== null && surface === undefined,
];

const archivedSeries: Case = [
  'given a series that is archived, when a document would take it or a number of it, then it is refused',
  async (setup, t) => {
    const { app, key, path, body, make, create, read, put } = await given(setup, t);
    const { id: series_id } = await make('/v1/series', {
      code: 'OBRAS',
      document_type: setup.family.series({}),
    });
    const made = await create({ series_id });
    const other = await create();
    assert.equal((await app.post(`/v1/series/${series_id}/archive`, { key })).status, 200);
    const refusals = [
      await app.post(path, { key, body: { ...body, series_id } }),
      await put(other.id, { series_id }),
      ...(setup.numbering_move === null
        ? []
        : [await app.post(`${path}/${made.id}/${setup.numbering_move}`, { key })]),
    ];
    for (const answer of refusals) assertRefused(answer, 422, rule, 'series_id');
    // One that has it keeps it.
    const shown = await read(made.id);
    assert.deepEqual((await put(made.id, shown)).body.data, shown);
    assert.equal((await put(made.id, { notes: 'Otra' })).status, 200);
    const document_type = seriesKinds.find((kind) => kind !== setup.family.series({}));
    const of_other = await make('/v1/series', { code: 'OTRA', document_type });
    for (const answer of [
      await app.post(path, { key, body: { ...body, series_id: of_other.id } }),
      await put(other.id, { series_id: of_other.id }),
    ])
      assertRefused(answer, 422, rule, 'series_id');
  },
];

const noRecord: Case = [
  'given VeriFactu, when it is numbered, then it has no record and no QR, and the sandbox marks its paper',
  async (setup, t) => {
    const { app, company, key, path, create, act } = await given(setup, t);
    await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
    const numbered = await act((await create()).id, setup.numbering_move!);
    const page = await app.get(new URL(numbered.public_url).pathname, {});
    if (setup.family.object !== 'quote') assert.ok(page.text.includes('no es una factura'), page.text);
    assert.doesNotMatch(page.text, /VERI\*FACTU|class="qr"|SIN VALIDEZ FISCAL/i);
    assert.deepEqual((await app.get('/v1/verifactu/records', { key })).body.data, []);
    const test = { key: company.test_key };
    const client = await app.post('/v1/clients', { ...test, body: { name: 'Norte', tax_id: 'B00000018' } });
    const body = { client_id: client.body.data.id, lines: [goodLine] };
    const { id } = (await app.post(path, { ...test, body })).body.data;
    const tried = (await app.post(`${path}/${id}/${setup.numbering_move}`, test)).body.data;
    const marked = await app.get(new URL(tried.public_url).pathname, {});
    assert.ok(marked.text.includes('SIN VALIDEZ FISCAL'), marked.text);
  },
  ({ family, numbering_move, surface }) =>
    numbering_move !== null &&
    surface === undefined &&
    ['quote', 'proforma', 'delivery_note'].includes(family.object),
];

export const numberCases: readonly Case[] = [numbers, archivedSeries, noRecord];

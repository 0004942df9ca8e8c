/** Damage made by hand in the database, and the faults that report it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import {
  checkIntegrity,
  eventsOf,
  issueTicket,
  issueTickets,
  type RecordingCompany,
  recordingCompany,
} from '../../../../test/support/recording-company.ts';
import { checkInvoices } from '../../invoices/index.ts';
import type { Fault, Reader } from '../../verifactu/index.ts';

const modes = ['verifactu', 'no_verifactu'] as const;

for (const mode of modes) {
  test(`given a company in ${mode} mode, when all is as it was written, then nothing is found`, async (t) => {
    const app = await startApp(t);
    const acme = await recordingCompany(app, { remission_mode: mode });
    for (let i = 0; i < 3; i++) await issueTicket(app, acme);
    const [first, second] = await app.sql<{ id: string }[]>`
      select id from invoices where company_id = ${acme.id} order by id limit 2`;
    const annulled = await app.post(`/v1/invoices/${first!.id}/annul`, { key: acme.key });
    assert.equal(annulled.status, 200, annulled.text);
    assert.ok(second);

    const check = await checkIntegrity(app, acme);

    assert.deepEqual(check.faults, []);
    assert.equal(check.is_intact, true);
    assert.equal(check.is_whole, true);
    assert.deepEqual(check.checked, {
      records: 4,
      events: mode === 'verifactu' ? 0 : 1,
      invoices: 3,
      signatures: mode === 'verifactu' ? 0 : 5,
    });
    assert.equal(check.alarm, null);
    const types = (await eventsOf(app, acme)).map((event) => event.type);
    assert.deepEqual(types, mode === 'verifactu' ? [] : ['01', '03', '05']);
  });
}

test('given invoices of every kind of amount, when they are checked, then nothing is found', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const client = await app.post('/v1/clients', { key, body: { name: 'Norte SL', tax_id: 'B12345674' } });
  const lines = [
    {
      description: 'A',
      quantity: 3,
      unit_price: 33.333333,
      tax_rate: 21,
      discount_percent: 12.5,
      retention_rate: 15,
    },
    { description: 'B', quantity: 0.333333, unit_price: 9.99, tax_rate: 10 },
    { description: 'C', quantity: 1, unit_price: 19.9, tax_rate: 21 },
  ];
  const issue = async (body: object) => {
    const res = await app.post('/v1/invoices', { key, body: { options: { issue: true }, ...body } });
    assert.equal(res.status, 201, res.text);
    return res.body.data;
  };
  const client_id = client.body.data.id;
  const full = await issue({ type: 'F1', client_id, lines });
  await issue({
    type: 'F1',
    client_id,
    lines: lines.map(({ retention_rate: _, ...line }) => line),
    prices_include_tax: true,
  });
  await issue({ type: 'F1', client_id, lines, currency: 'USD', exchange_rate: 0.91234567 });
  const corrective = await app.post(`/v1/invoices/${full.id}/corrective`, {
    key,
    body: {
      correction: { type: 'differences', reason: 'Devolución' },
      lines: [{ description: 'C', quantity: -1, unit_price: 19.9, tax_rate: 21 }],
    },
  });
  assert.equal(corrective.status, 201, corrective.text);
  const paid = await app.post(`/v1/invoices/${full.id}/payments`, {
    key,
    body: { amount: 5, payment_method: 'bank_transfer' },
  });
  assert.ok(paid.status < 300, paid.text);
  // Its carriage is a line whose price includes its tax, among others that do not.
  const body = { client_id, lines, shipping_cost: 12.11, options: { mark_pending: true } };
  const proforma = await app.post('/v1/proformas', { key, body });
  assert.equal(proforma.status, 201, proforma.text);
  const sold = await app.post(`/v1/proformas/${proforma.body.data.id}/convert`, { key, body: {} });
  assert.equal(sold.status, 201, sold.text);
  const sent = await app.post(`/v1/invoices/${sold.body.data.id}/issue`, { key });
  assert.equal(sent.status, 200, sent.text);

  const check = await checkIntegrity(app, acme);

  assert.deepEqual(check.faults, []);
  assert.equal(check.checked.invoices, 5);
});

/** Records have the positions 1 to 5, one ticket each. */
type Damage = {
  what: string;
  mode?: (typeof modes)[number];
  /** Where the day matters: the one before 1 January is of another period of the series. */
  now?: string;
  harm(app: App, company: RecordingCompany): Promise<unknown>;
  finds: readonly string[];
  anomaly?: string;
};

const changeXml =
  (from: string, to: string, position = 3) =>
  (app: App, { id }: RecordingCompany) =>
    app.sql`update verifactu_records set xml = replace(xml, ${from}, ${to})
             where company_id = ${id} and position = ${position}`;

const setColumn =
  (column: string, value: string | boolean | null, position = 3) =>
  (app: App, { id }: RecordingCompany) =>
    app.sql`update verifactu_records set ${app.sql(column)} = ${value}
             where company_id = ${id} and position = ${position}`;

const zeros = '0'.repeat(64);

const damages: readonly Damage[] = [
  {
    what: 'a record is gone from the middle',
    harm: (app, { id }) => app.sql`
      with gone as (delete from verifactu_sendings where company_id = ${id} and position = 3)
      delete from verifactu_records where company_id = ${id} and position = 3`,
    finds: ['record_missing', 'invoice_without_record'],
    anomaly: '04',
  },
  {
    what: 'the last record is gone',
    harm: (app, { id }) => app.sql`
      with gone as (delete from verifactu_sendings where company_id = ${id} and position = 5)
      delete from verifactu_records where company_id = ${id} and position = 5`,
    finds: ['record_last_missing', 'invoice_without_record'],
    anomaly: '05',
  },
  {
    what: 'a position is there twice',
    harm: async (app, { id }) => {
      await app.sql`drop index verifactu_records_chain`;
      await app.sql`update verifactu_records set position = 2 where company_id = ${id} and position = 3`;
    },
    finds: ['record_repeated', 'record_missing'],
    anomaly: '06',
  },
  {
    what: 'the total of a text is another',
    harm: changeXml('<sf:ImporteTotal>121.61<', '<sf:ImporteTotal>221.61<'),
    finds: ['record_column_differs', 'record_huella_wrong'],
  },
  {
    what: 'the huella of a text is another, and noted so by nobody',
    harm: (app, { id }) => app.sql`
      update verifactu_records set xml = replace(xml, huella, ${zeros}), huella = ${zeros}
       where company_id = ${id} and position = 3`,
    finds: ['record_huella_wrong', 'record_previous_huella_wrong'],
  },
  {
    what: 'the huella that a text notes of the one before is another',
    harm: (app, { id }) => app.sql`
      update verifactu_records set xml = replace(xml, previous_huella, ${zeros}), previous_huella = ${zeros}
       where company_id = ${id} and position = 3`,
    finds: ['record_huella_wrong', 'record_previous_huella_wrong'],
  },
  {
    what: 'a text names another record before it',
    harm: changeXml('000002</sf:NumSerieFactura>', '000009</sf:NumSerieFactura>'),
    finds: ['record_link_wrong'],
    anomaly: '06',
  },
  {
    what: 'a text cannot be read',
    harm: changeXml('<sf:TipoHuella>', '<sf:Otra>'),
    finds: ['record_unreadable'],
    anomaly: '03',
  },
  {
    what: 'what a text says was sold, which no huella covers',
    harm: changeXml('Consultor', 'Asesor'),
    finds: ['record_differs_from_invoice'],
    anomaly: '03',
  },
  {
    what: 'the base of a breakdown in a text',
    harm: changeXml('<sf:BaseImponibleOimporteNoSujeto>100.50<', '<sf:BaseImponibleOimporteNoSujeto>100.40<'),
    finds: ['record_differs_from_invoice'],
  },
  {
    what: 'a breakdown that passes for exempt of naming its recipient',
    harm: changeXml(
      '<sf:Desglose>',
      '<sf:FacturaSinIdentifDestinatarioArt61d>S</sf:FacturaSinIdentifDestinatarioArt61d><sf:Desglose>',
    ),
    finds: ['record_differs_from_invoice'],
  },
  {
    what: 'a text breaks the schema',
    harm: changeXml('<sf:Version>', `<sf:Version>${'v'.repeat(60)}`),
    finds: ['record_schema_broken'],
  },
  {
    what: 'the column of the number',
    harm: setColumn('number', 'S1'),
    finds: ['record_column_differs', 'record_differs_from_invoice'],
  },
  {
    what: 'the column of the day',
    harm: setColumn('issued_on', '2026-01-01'),
    finds: ['record_column_differs', 'record_differs_from_invoice'],
  },
  {
    what: 'the column of the total',
    harm: setColumn('total', '1.00'),
    finds: ['record_column_differs', 'record_differs_from_invoice'],
  },
  {
    what: 'the column of the tax',
    harm: setColumn('tax_total', '1.00'),
    finds: ['record_column_differs', 'record_differs_from_invoice'],
  },
  {
    what: 'the column of the type',
    harm: setColumn('invoice_type', 'F1'),
    finds: ['record_column_differs'],
  },
  { what: 'the column of the huella', harm: setColumn('huella', zeros), finds: ['record_column_differs'] },
  {
    what: 'the column of the huella before',
    harm: setColumn('previous_huella', zeros),
    finds: ['record_column_differs'],
  },
  {
    what: 'the column of the stamp',
    harm: setColumn('stamped_at', '2026-01-01T00:00:00+01:00'),
    finds: ['record_column_differs'],
  },
  {
    what: 'the instant of the record',
    harm: setColumn('recorded_at', '2026-01-01T00:00:00Z'),
    finds: ['record_column_differs'],
  },
  {
    what: 'the address of the QR',
    harm: setColumn('qr_url', 'https://example.com/?nif=1'),
    finds: ['record_column_differs'],
  },
  {
    what: 'the mark of a subsanación',
    harm: setColumn('is_subsanacion', true),
    finds: ['record_column_differs'],
  },
  {
    what: 'a stamp runs backwards',
    harm: (app, { id }) => app.sql`
      update verifactu_records set xml = replace(xml, stamped_at, '2025-01-01T00:00:00+01:00'),
             stamped_at = '2025-01-01T00:00:00+01:00', recorded_at = '2024-12-31T23:00:00Z'
       where company_id = ${id} and position = 3`,
    finds: ['record_huella_wrong', 'record_stamp_backwards'],
    anomaly: '11',
  },
  {
    what: 'a stamp lies in the future',
    harm: (app, { id }) => app.sql`
      update verifactu_records set xml = replace(xml, stamped_at, '2039-01-01T00:00:00+01:00'),
             stamped_at = '2039-01-01T00:00:00+01:00', recorded_at = '2038-12-31T23:00:00Z'
       where company_id = ${id} and position = 3`,
    finds: ['record_huella_wrong', 'record_stamp_in_future', 'record_stamp_backwards'],
    anomaly: '13',
  },
  {
    what: 'the installation is another',
    harm: (app, { id }) =>
      app.sql`update verifactu_settings set installation_number = 'otra' where company_id = ${id}`,
    finds: ['record_column_differs'],
  },
  {
    what: 'the end of the chain is noted otherwise',
    harm: (app, { id }) =>
      app.sql`update issuing_heads set record_huella = ${zeros} where company_id = ${id}`,
    finds: ['record_head_differs'],
    anomaly: '10',
  },
  {
    what: 'a signature is gone',
    mode: 'no_verifactu',
    harm: (app, { id }) => app.sql`
      update verifactu_records set xml = regexp_replace(xml, '<ds:Signature .*</ds:Signature>', '')
       where company_id = ${id} and position = 3`,
    finds: ['record_signature_missing'],
    anomaly: '02',
  },
  {
    what: 'the signed content is another, with a huella that fits no more',
    mode: 'no_verifactu',
    harm: changeXml('Consultor', 'Asesor'),
    finds: ['record_signature_wrong', 'record_differs_from_invoice'],
    anomaly: '02',
  },
  {
    what: 'a signed record passes for one that is sent',
    mode: 'no_verifactu',
    harm: setColumn('mode', 'verifactu'),
    finds: ['record_column_differs'],
  },
  {
    what: 'an event is gone from the middle',
    mode: 'no_verifactu',
    harm: (app, { id }) => app.sql`delete from verifactu_events where company_id = ${id} and position = 2`,
    finds: ['event_missing'],
    anomaly: '04',
  },
  {
    what: 'the last event is gone',
    mode: 'no_verifactu',
    harm: (app, { id }) => app.sql`delete from verifactu_events where company_id = ${id} and position = 3`,
    finds: ['event_last_missing'],
    anomaly: '05',
  },
  {
    what: 'an event has another count',
    mode: 'no_verifactu',
    harm: (app, { id }) => app.sql`
      update verifactu_events set xml = regexp_replace(xml, '>5<', '>6<') where company_id = ${id} and position = 2`,
    finds: ['event_signature_wrong'],
    anomaly: '02',
  },
  {
    what: 'an event is not signed',
    mode: 'no_verifactu',
    harm: (app, { id }) => app.sql`
      update verifactu_events set xml = regexp_replace(xml, '<ds:Signature .*</ds:Signature>', '')
       where company_id = ${id} and position = 2`,
    finds: ['event_signature_missing'],
    anomaly: '02',
  },
  {
    what: 'an event cannot be read',
    mode: 'no_verifactu',
    harm: (app, { id }) =>
      app.sql`update verifactu_events set xml = 'nada' where company_id = ${id} and position = 2`,
    finds: ['event_unreadable'],
    anomaly: '03',
  },
  {
    what: 'the type of an event is another',
    mode: 'no_verifactu',
    harm: (app, { id }) =>
      app.sql`update verifactu_events set type = '90' where company_id = ${id} and position = 2`,
    finds: ['event_column_differs'],
  },
  {
    what: 'the huella of an event is another',
    mode: 'no_verifactu',
    harm: (app, { id }) => app.sql`
      update verifactu_events set xml = replace(xml, huella, ${zeros}), huella = ${zeros}
       where company_id = ${id} and position = 2`,
    finds: ['event_huella_wrong', 'event_previous_huella_wrong', 'event_signature_wrong'],
  },
  {
    what: 'an event notes another huella of the one before',
    mode: 'no_verifactu',
    harm: (app, { id }) => app.sql`
      update verifactu_events set xml = replace(xml, previous_huella, ${zeros}), previous_huella = ${zeros}
       where company_id = ${id} and position = 3`,
    finds: ['event_huella_wrong', 'event_previous_huella_wrong', 'event_signature_wrong'],
  },
  {
    what: 'an event names another before it',
    mode: 'no_verifactu',
    harm: (app, { id }) => app.sql`
      update verifactu_events
         set xml = replace(xml, '<ev:EventoAnterior><ev:TipoEvento>01', '<ev:EventoAnterior><ev:TipoEvento>07')
       where company_id = ${id} and position = 2`,
    finds: ['event_link_wrong', 'event_signature_wrong'],
    anomaly: '06',
  },
  {
    what: 'the stamp of an event runs backwards',
    mode: 'no_verifactu',
    harm: (app, { id }) => app.sql`
      update verifactu_events set xml = replace(xml, '<ev:FechaHoraHusoGenEvento>' || stamped_at || '</ev:FechaHoraHusoGenEvento><ev:TipoEvento>05',
                                                '<ev:FechaHoraHusoGenEvento>2025-01-01T00:00:00+01:00</ev:FechaHoraHusoGenEvento><ev:TipoEvento>05')
       where company_id = ${id} and position = 3`,
    finds: ['event_column_differs', 'event_huella_wrong', 'event_signature_wrong', 'event_stamp_backwards'],
    anomaly: '11',
  },
  {
    what: 'the stamp of an event lies in the future',
    mode: 'no_verifactu',
    harm: (app, { id }) => app.sql`
      update verifactu_events set xml = replace(xml, '<ev:FechaHoraHusoGenEvento>' || stamped_at || '</ev:FechaHoraHusoGenEvento><ev:TipoEvento>05',
                                                '<ev:FechaHoraHusoGenEvento>2039-01-01T00:00:00+01:00</ev:FechaHoraHusoGenEvento><ev:TipoEvento>05')
       where company_id = ${id} and position = 3`,
    finds: ['event_column_differs', 'event_huella_wrong', 'event_signature_wrong', 'event_stamp_in_future'],
    anomaly: '13',
  },
  {
    what: 'the end of the log is noted otherwise',
    mode: 'no_verifactu',
    harm: (app, { id }) => app.sql`update issuing_heads set event_huella = ${zeros} where company_id = ${id}`,
    finds: ['event_head_differs'],
    anomaly: '10',
  },
  {
    what: 'an event stands twice in the log',
    mode: 'no_verifactu',
    harm: async (app, { id }) => {
      await app.sql`drop index verifactu_events_chain`;
      await app.sql`update verifactu_events set position = 2 where company_id = ${id} and position = 3`;
    },
    finds: ['event_repeated', 'event_last_missing'],
    anomaly: '06',
  },
  {
    what: 'an invoice is gone',
    harm: (app, { id }) => app.sql`
      delete from invoices where company_id = ${id} and number like '%000003'`,
    finds: ['record_without_invoice', 'number_gap'],
  },
  {
    what: 'the last invoice of a series is gone',
    harm: (app, { id }) => app.sql`delete from invoices where company_id = ${id} and number like '%000005'`,
    finds: ['record_without_invoice', 'number_gap'],
  },
  {
    what: 'all invoices of a series are gone',
    harm: (app, { id }) => app.sql`delete from invoices where company_id = ${id}`,
    finds: ['record_without_invoice', 'number_gap'],
  },
  {
    what: 'an invoice has another number',
    harm: (app, { id }) => app.sql`
      update invoices set number = 'S-7' where company_id = ${id} and number like '%000003'`,
    finds: ['number_not_of_format', 'record_differs_from_invoice'],
  },
  {
    what: 'a number is there twice',
    harm: async (app, { id }) => {
      await app.sql`drop index invoices_number`;
      await app.sql`drop index invoices_series_number`;
      await app.sql`
        update invoices t set number = o.number, series_number = o.series_number from invoices o
         where t.company_id = ${id} and o.company_id = ${id} and t.number like '%000003' and o.number like '%000002'`;
    },
    finds: ['number_duplicate', 'record_differs_from_invoice', 'number_gap'],
  },
  {
    what: 'an issued invoice has lost its number',
    harm: (app, { id }) => app.sql`
      update invoices set series_number = null where company_id = ${id} and number like '%000003'`,
    finds: ['number_missing', 'number_gap'],
  },
  {
    what: 'the day of an invoice is before the one before it',
    now: '2026-06-15T10:00:00Z',
    harm: (app, { id }) => app.sql`
      update invoices set issued_on = issued_on - 1 where company_id = ${id} and number like '%000003'`,
    finds: ['series_date_backwards', 'record_differs_from_invoice'],
    anomaly: '14',
  },
  {
    what: 'the counter of a series is behind',
    harm: (app, { id }) => app.sql`update series_counters set next_number = 3 where company_id = ${id}`,
    finds: ['series_counter_differs'],
  },
  {
    what: 'the total of an invoice is another',
    harm: (app, { id }) => app.sql`
      update invoices set total = 999 where company_id = ${id} and number like '%000003'`,
    finds: ['invoice_totals_wrong'],
  },
  {
    what: 'the price of a line is another',
    harm: (app, { id }) => app.sql`
      update invoice_lines set unit_price = 10 where company_id = ${id}
         and invoice_id = (select id from invoices where company_id = ${id} and number like '%000003')`,
    finds: ['invoice_totals_wrong'],
  },
  {
    what: 'the breakdown is another',
    harm: (app, { id }) => app.sql`
      update invoice_tax_rows set tax = 1 where company_id = ${id}
         and invoice_id = (select id from invoices where company_id = ${id} and number like '%000003')`,
    finds: ['invoice_totals_wrong', 'record_differs_from_invoice'],
  },
  {
    what: 'an invoice does not say that it has a record',
    harm: (app, { id }) => app.sql`
      update invoices set has_record = false where company_id = ${id} and number like '%000003'`,
    finds: ['invoice_unmarked'],
  },
  {
    what: 'an annulled invoice passes for one in force',
    harm: async (app, { id, key }) => {
      const [row] = await app.sql<{ id: string }[]>`
        select id from invoices where company_id = ${id} and number like '%000003'`;
      const res = await app.post(`/v1/invoices/${row!.id}/annul`, { key });
      assert.equal(res.status, 200, res.text);
      await app.sql`update invoices set status = 'issued' where company_id = ${id} and id = ${row!.id}`;
    },
    finds: ['record_without_withdrawal'],
  },
];

const dropsIndex = (damage: Damage) => /twice/.test(damage.what);

for (const damage of damages) {
  const { what, mode = 'verifactu', now, harm, finds, anomaly } = damage;
  test(`given damage by hand, when ${what}, then it is found and named`, async (t) => {
    // An index is dropped for the whole database of this file, so it is put back.
    const app = await startApp(t);
    if (now) app.clock.set(now);
    const acme = await recordingCompany(app, { remission_mode: mode });
    await issueTickets(app, acme, 5);
    if (mode === 'no_verifactu') assert.equal((await checkIntegrity(app, acme)).is_intact, true);
    await harm(app, acme);

    const check = await checkIntegrity(app, acme);

    assert.deepEqual(Object.keys(check.fault_counts).sort(), [...finds].sort(), JSON.stringify(check.faults));
    if (anomaly)
      assert.ok(
        check.faults.some((fault) => finds.includes(fault.kind) && fault.anomaly === anomaly),
        JSON.stringify(check.faults),
      );
    assert.equal(check.is_intact, false);
    assert.equal(check.alarm, 'integrity_faults');
    if (dropsIndex(damage)) await mendIndexes(app, acme);
  });
}

async function mendIndexes(app: App, { id }: RecordingCompany): Promise<void> {
  for (const table of [
    'verifactu_sendings',
    'verifactu_records',
    'verifactu_events',
    'invoice_lines',
    'invoices',
  ])
    await app.sql`delete from ${app.sql(table)} where company_id = ${id}`;
  await app.sql`create unique index if not exists verifactu_records_chain on verifactu_records (company_id, position)`;
  await app.sql`create unique index if not exists verifactu_events_chain on verifactu_events (company_id, position)`;
  await app.sql`create unique index if not exists invoices_number on invoices (company_id, number) where number is not null`;
  await app.sql`create unique index if not exists invoices_series_number on invoices (company_id, series_id, series_period, series_number)
                 where series_number is not null`;
}

test('given faults in no-verifactu mode, when they are found, then events tell of them and the alarm stays until all is well', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  await issueTickets(app, acme, 3);
  const { id, key } = acme;
  const [kept] = await app.sql`select xml from verifactu_records where company_id = ${id} and position = 2`;
  await changeXml('<sf:Version>', '<sf:Version>9', 2)(app, acme);

  const found = await checkIntegrity(app, acme);
  assert.deepEqual(found.fault_counts, { record_signature_wrong: 1 });
  const types = (await eventsOf(app, acme)).map((event) => event.type);
  assert.deepEqual(types, ['01', '03', '05', '04']);
  const told = (await eventsOf(app, acme)).at(-1)!.xml;
  assert.match(told, /<ev:TipoAnomalia>02</);
  assert.match(told, /<ev:NumSerieFactura>S\d{4}-000002</);
  const config = await app.get('/v1/verifactu/config', { key });
  assert.equal(config.body.data.alarm, 'integrity_faults');
  await issueTicket(app, acme);

  const part = await checkIntegrity(app, acme, { from_position: 3, to_position: 4 });
  assert.deepEqual([part.is_intact, part.is_whole, part.checked.records], [true, false, 2]);
  assert.equal(part.alarm, 'integrity_faults', 'a part that is well says nothing of the rest');
  const bad = await checkIntegrity(app, acme, { from_position: 2, to_position: 2 });
  assert.deepEqual(bad.fault_counts, { record_signature_wrong: 1 });

  await app.sql`update verifactu_records set xml = ${kept!.xml} where company_id = ${id} and position = 2`;
  const well = await checkIntegrity(app, acme);
  assert.deepEqual([well.is_intact, well.alarm], [true, null]);
});

test('given an event that was changed, when it is found, then event 06 names it', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  await app.sql`update verifactu_events set xml = replace(xml, 'Acme', 'Otra') where company_id = ${acme.id} and position = 1`;
  const check = await checkIntegrity(app, acme);
  assert.deepEqual(check.fault_counts, { event_signature_wrong: 1 });
  const last = (await eventsOf(app, acme)).at(-1)!;
  assert.equal(last.type, '06');
  assert.match(last.xml, /<ev:RegEventoAnomalo><ev:TipoEvento>01</);
});

test('given more faults than are told one by one, when they are found, then one event tells of the rest', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  await issueTickets(app, acme, 25);
  await app.sql`update verifactu_records set mode = 'verifactu' where company_id = ${acme.id}`;
  const check = await checkIntegrity(app, acme);
  assert.equal(check.fault_count, 25);
  const told = (await eventsOf(app, acme)).filter((event) => event.type === '04');
  assert.equal(told.length, 21);
  assert.match(told.at(-1)!.xml, /Y 5 anomalías más/);
});

test('given a part that lies beyond the chain, when it is asked for, then 422', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  await issueTicket(app, acme);
  const res = await app.post('/v1/verifactu/integrity-checks', {
    key: acme.key,
    body: { from_position: 7 },
  });
  assert.deepEqual(
    [res.status, res.body.error.code, res.body.error.param],
    [422, 'parameter_invalid', 'from_position'],
  );
});

test('given a key that may only read, when it asks for a check, then 403', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const key = await app.given.apiKey(acme, { scopes: ['verifactu:read'], environment: 'test' });
  const res = await app.post('/v1/verifactu/integrity-checks', { key, body: {} });
  assert.equal(res.status, 403, res.text);
});

test('given a company that never turned VeriFactu on, when it is checked, then its invoices are', async (t) => {
  const app = await startApp(t);
  const made = await app.given.company();
  const acme = { ...made, key: made.test_key, id: made.sandbox_company_id };
  await issueTicket(app, acme, { options: { issue: true } });
  const check = await checkIntegrity(app, acme);
  assert.deepEqual([check.is_intact, check.checked.invoices, check.checked.records], [true, 1, 0]);
});

test('given a chain longer than a call checks, when all of it is asked for, then 422, and a part of it is checked', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  await issueTickets(app, acme, 2);
  await app.sql`update verifactu_records set position = 9000 where company_id = ${acme.id} and position = 2`;
  const res = await app.post('/v1/verifactu/integrity-checks', { key: acme.key, body: {} });
  assert.deepEqual([res.status, res.body.error.code], [422, 'business_rule_violation']);
  const part = await checkIntegrity(app, acme, { to_position: 500 });
  assert.equal(part.checked.records, 1);
});

test('given invoices with payments, when they are checked, then no read brings any', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  await issueTickets(app, acme, 2);
  const invoices = await app.sql<{ id: string }[]>`select id from invoices where company_id = ${acme.id}`;
  for (const { id } of invoices) {
    const body = { amount: 0.01, payment_method: 'cash' };
    const paid = await app.post(`/v1/invoices/${id}/payments`, { key: acme.key, body });
    assert.equal(paid.status, 201, paid.text);
  }
  let read = '';
  const reader: Reader = async (work) => {
    const found = await app.db.read(acme.id, work);
    read += JSON.stringify(found);
    return found;
  };

  const faults: Fault[] = [];

  const count = await checkInvoices(reader, acme.id, (found) => faults.push(...found));

  assert.deepEqual([count, faults], [2, []]);
  assert.match(read, /"unit_price"/);
  assert.doesNotMatch(read, /"payment_date"/);
});

test('given long invoices, when they are checked, then no read brings more lines than a page of a list', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const lines = Array.from({ length: 500 }, () => ({ description: 'x', unit_price: 0.01, tax_rate: 21 }));
  const invoices = Array.from({ length: 7 }, () => ({ type: 'F2', lines, options: { issue: true } }));
  const made = await app.post('/v1/invoices/bulk-create', { key: acme.key, body: { invoices } });
  assert.equal(made.body.data?.successful, 7, made.text);
  const read: number[] = [];
  const reader: Reader = async (work) => {
    const found = await app.db.read(acme.id, work);
    read.push(JSON.stringify(found).split('"unit_price"').length - 1);
    return found;
  };
  const faults: Fault[] = [];

  const count = await checkInvoices(reader, acme.id, (found) => faults.push(...found));

  assert.deepEqual([count, faults], [7, []]);
  assert.deepEqual(
    read.filter((of_lines) => of_lines > 0),
    [3000, 500],
  );
  assert.equal((await checkIntegrity(app, acme)).is_intact, true);
});

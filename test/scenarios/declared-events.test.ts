/**
 * Causes the rarer events of operations that issue, correct or withdraw invoices. The harness notes who emitted them;
 * every declared event must be seen.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { enqueue } from '../support/worker-place.ts';

const line = { description: 'Trabajo', quantity: 2, unit_price: 50, tax_rate: 21 };
const ticket = { type: 'F2', lines: [line], options: { issue: true } };

type Made = { id: string; [member: string]: unknown };

/** The client pays within five days. All calls must succeed. */
class Desk {
  readonly app: App;
  readonly acme: TestCompany;
  client = '';

  private constructor(app: App, acme: TestCompany) {
    this.app = app;
    this.acme = acme;
  }

  static async make(app: App): Promise<Desk> {
    app.clock.set('2026-05-20T10:00:00Z');
    const desk = new Desk(app, await app.given.company());
    const payment_preferences = { method: 'bank_transfer', terms_days: 5 };
    const client = { name: 'Norte SL', tax_id: 'B99286320', payment_preferences };
    desk.client = (await desk.post('/v1/clients', client)).id;
    return desk;
  }

  async post(path: string, body?: object): Promise<Made> {
    const answer = await this.app.post(path, { key: this.acme.live_key, ...(body ? { body } : {}) });
    assert.ok(answer.status < 300, `${path} ${answer.text}`);
    return answer.body.data;
  }

  create(fields: object): Promise<Made> {
    return this.post('/v1/invoices', { client_id: this.client, lines: [line], ...fields });
  }

  issue(fields: object = {}): Promise<Made> {
    return this.create({ ...fields, options: { issue: true } });
  }

  async substitute(fields: object = {}): Promise<Made> {
    const { id } = await this.post('/v1/invoices', { ...ticket, ...fields, series_id: null });
    const body = { simplified_invoice_uuids: [id], client_id: this.client, ...fields };
    return this.post('/v1/invoices/substitute-simplified', body);
  }

  eventsOf(id: string): Promise<string[]> {
    return this.app.eventTypes(this.acme, id);
  }
}

type Way = {
  document_type: 'invoice' | 'corrective_invoice';
  /** Its invoice is always of the day. */
  is_of_today?: boolean;
  issue(
    desk: Desk,
    fields: { series_id?: string; issued_on?: string; [member: string]: unknown },
  ): Promise<Made>;
};

const afterDraft = (act: (desk: Desk, id: string) => Promise<Made>): Way => ({
  document_type: 'invoice',
  issue: async (desk, fields) => act(desk, (await desk.create(fields)).id),
});

const ways: Record<string, Way> = {
  create_invoice: { document_type: 'invoice', issue: (desk, fields) => desk.issue(fields) },
  bulk_create_invoices: {
    document_type: 'invoice',
    async issue(desk, fields) {
      const one = { client_id: desk.client, lines: [line], ...fields, options: { issue: true } };
      const { invoices } = await desk.post('/v1/invoices/bulk-create', { invoices: [one] });
      return (invoices as Made[])[0]!;
    },
  },
  issue_invoice: afterDraft((desk, id) => desk.post(`/v1/invoices/${id}/issue`)),
  mark_invoice_sent: afterDraft((desk, id) => desk.post(`/v1/invoices/${id}/mark-sent`)),
  send_invoice: afterDraft((desk, id) => desk.post(`/v1/invoices/${id}/send`, { to: ['ana@example.com'] })),
  substitute_simplified_invoices: {
    document_type: 'invoice',
    issue: (desk, fields) => desk.substitute(fields),
  },
  create_corrective_invoice: {
    document_type: 'corrective_invoice',
    async issue(desk, fields) {
      const original = await desk.issue({ ...fields, series_id: null });
      const correction = { type: 'substitution', reason: 'Precio' };
      return desk.post(`/v1/invoices/${original.id}/corrective`, { correction, ...fields });
    },
  },
  emit_recurring_invoice: {
    document_type: 'invoice',
    is_of_today: true,
    async issue(desk, fields) {
      const calendar = { name: 'Cuota', frequency: 'monthly', starts_on: '2199-01-31', auto_issue: true };
      const body = { ...calendar, client_id: desk.client, lines: [line], ...fields };
      const { id } = await desk.post('/v1/recurring_invoices', body);
      return desk.post(`/v1/recurring_invoices/${id}/emit`);
    },
  },
};

for (const [operation, way] of Object.entries(ways)) {
  for (const [reset, format, later] of [
    ['month', '{code}{yy}{month}-{number:4}', '2026-06-02T10:00:00Z'],
    ['year', '{code}{year}-{number:6}', '2027-01-04T10:00:00Z'],
  ] as const) {
    test(`given a series that restarts each ${reset}, when ${operation} takes the first number of a period, then the series shows it`, async (t) => {
      const desk = await Desk.make(await startApp(t));
      const { document_type } = way;
      const made = await desk.post('/v1/series', { code: 'Z', document_type, format, reset });
      await way.issue(desk, { series_id: made.id });
      desk.app.clock.set(later);
      await way.issue(desk, { series_id: made.id });
      const events = await desk.eventsOf(made.id);
      assert.equal(events.filter((type) => type === `series.${reset}_reset`).length, 1, events.join());
    });
  }

  if (way.is_of_today) continue;
  test(`given a due day that has passed, when ${operation} issues, then the invoice is overdue from the start`, async (t) => {
    const desk = await Desk.make(await startApp(t));
    const { id } = await way.issue(desk, { issued_on: '2026-05-01' });
    assert.ok((await desk.eventsOf(id)).includes('invoice.overdue'));
  });
}

test('given stored invoices that are named by number, when one is issued in their place in any way, then they tell it', async (t) => {
  const desk = await Desk.make(await startApp(t));
  const name = ({ number, issued_on }: Made) => ({ number, issued_on, subtotal: 100, taxes_total: 21 });
  const others = ['substitute_simplified_invoices', 'create_corrective_invoice', 'emit_recurring_invoice'];
  for (const [operation, way] of Object.entries(ways).filter(([operation]) => !others.includes(operation))) {
    const paid = await desk.post('/v1/invoices', { ...ticket, payment: { method: 'cash' } });
    const full = await way.issue(desk, { type: 'F3', substituted_invoices: [name(paid)] });
    assert.ok((await desk.eventsOf(paid.id)).includes('invoice.simplified_substituted'), operation);
    const told = await desk.eventsOf(full.id);
    for (const type of ['invoice.substituted_by_complete', 'invoice.paid'])
      assert.ok(told.includes(type), `${operation}: ${told}`);
    const wrong = await desk.issue();
    const correction = { type: 'substitution' };
    await way.issue(desk, { type: 'R1', correction, corrected_invoices: [name(wrong)] });
    assert.equal((await desk.eventsOf(wrong.id)).at(-1), 'invoice.rectified', operation);
  }
});

/** Every record counts as breaking the authority's schema. */
async function deskOfBrokenRecords(t: TestContext): Promise<Desk> {
  const app = await startApp(t, {
    wrap_ports: (ports) => ({
      ...ports,
      records: { ...ports.records, findSchemaFaults: () => ['It does not fit.'] },
    }),
  });
  const desk = await Desk.make(app);
  const on = await app.put('/v1/verifactu/settings', { key: desk.acme.live_key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  return desk;
}

const withdrawals: Record<string, string> = { annul_invoice: 'annul', void_invoice: 'void' };

test('given records that break the schema, when invoices are issued or withdrawn, then each tells that it is not sent', async (t) => {
  const desk = await deskOfBrokenRecords(t);
  for (const [operation, way] of Object.entries(ways)) {
    const { id } = await way.issue(desk, {});
    assert.equal((await desk.eventsOf(id)).at(-1), 'invoice.verifactu_failed', operation);
  }
  for (const [operation, move] of Object.entries(withdrawals)) {
    const { id } = await desk.issue();
    await desk.post(`/v1/invoices/${id}/${move}`);
    const failed = (await desk.eventsOf(id)).filter((type) => type === 'invoice.verifactu_failed');
    assert.equal(failed.length, 2, operation);
  }
});

for (const [operation, move] of Object.entries(withdrawals)) {
  test(`given a corrective that added to a paid invoice, when ${operation} withdraws it, then the invoice is paid again`, async (t) => {
    const desk = await Desk.make(await startApp(t));
    const { id } = await desk.issue();
    await desk.post(`/v1/invoices/${id}/payments`, { amount: 121, payment_method: 'cash' });
    const correction = { type: 'differences', reason: 'Más horas' };
    const more = await desk.post(`/v1/invoices/${id}/corrective`, { correction, lines: [{ quantity: 1 }] });
    await desk.post(`/v1/invoices/${more.id}/${move}`);
    assert.deepEqual((await desk.eventsOf(id)).slice(-2), ['invoice.updated', 'invoice.paid']);
  });

  test(`given a corrective of a whole overdue invoice, when ${operation} withdraws it, then the invoice is overdue again`, async (t) => {
    const desk = await Desk.make(await startApp(t));
    const { id } = await desk.issue({ issued_on: '2026-05-01' });
    const correction = { type: 'differences', reason: 'Devolución' };
    const all = await desk.post(`/v1/invoices/${id}/corrective`, { correction });
    await desk.post(`/v1/invoices/${all.id}/${move}`);
    assert.deepEqual((await desk.eventsOf(id)).slice(-2), ['invoice.updated', 'invoice.overdue']);
  });
}

for (const [kind, collection, reopened] of [
  ['quote', 'quotes', 'quote.updated'],
  ['proforma', 'proformas', 'proforma.updated'],
  ['delivery_note', 'delivery_notes', 'delivery_note.status_changed'],
] as const) {
  test(`given a ${kind} that became an invoice, when the invoice goes by any way, then the ${kind} tells that it is open again`, async (t) => {
    const desk = await Desk.make(await startApp(t));
    const body = { client_id: desk.client, lines: [line], options: { mark_pending: true } };
    const { id } = await desk.post(`/v1/${collection}`, body);
    const convert = () => desk.post(`/v1/${collection}/${id}/convert`, { target: 'invoice' });
    const told: string[] = [];
    for (const move of ['delete', ...Object.values(withdrawals)]) {
      const invoice = await convert();
      const key = desk.acme.live_key;
      if (move === 'delete') await desk.app.delete(`/v1/invoices/${invoice.id}`, { key });
      else {
        await desk.post(`/v1/invoices/${invoice.id}/issue`);
        await desk.post(`/v1/invoices/${invoice.id}/${move}`);
      }
      told.push((await desk.eventsOf(id)).at(-1) ?? '');
    }
    assert.deepEqual(told, [reopened, reopened, reopened]);
  });
}

test('given an invoice past its due day, when the job for what a full batch left runs, then it is overdue', async (t) => {
  const desk = await Desk.make(await startApp(t));
  const { app, acme } = desk;
  const { id } = await desk.issue();
  app.clock.set('2026-05-26T10:00:00Z');
  // The daily job would mark this invoice itself.
  await app.sql`delete from due_work where company_id = ${acme.company_id} and kind = 'job:company.daily'`;
  await enqueue(app.db, acme.company_id, app.clock.now(), { kind: 'invoices.mark_overdue' });
  await app.service.worker.runDue(acme.company_id);
  assert.equal((await desk.eventsOf(id)).at(-1), 'invoice.overdue');
});

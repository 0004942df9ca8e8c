/** The name of a client without tax id on a simplified invoice whose record has no recipient. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';

const line = { description: 'Café', unit_price: 10, tax_rate: 10 };

async function startShop(app: App) {
  const { test_key: key, ...company } = await app.given.company();
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  const ana = await app.post('/v1/clients', { key, body: { name: 'Ana la de siempre' } });
  assert.equal(ana.status, 201, ana.text);
  const sell = (body: Record<string, unknown>) =>
    app.post('/v1/invoices', {
      key,
      body: { type: 'F2', client_id: ana.body.data.id, lines: [line], options: { issue: true }, ...body },
    });
  const recordOf = async (id: string) => {
    const [row] = await app.sql<{ xml: string }[]>`
      select xml from verifactu_records where invoice_id = ${id} order by position desc limit 1`;
    return row!.xml;
  };
  return { key, company, client_id: ana.body.data.id as string, sell, recordOf };
}

test('given a client without tax id, when a ticket prints the name, then paper and page have it, and the record has no recipient', async (t) => {
  const app = await startApp(t);
  const shop = await startShop(app);
  const refused = await shop.sell({});
  assert.deepEqual([refused.status, refused.body.error?.param], [422, 'client_id'], 'as a recipient');
  const sold = await shop.sell({ print_recipient: true });
  assert.equal(sold.status, 201, sold.text);
  const { id, public_url, client, print_recipient } = sold.body.data;
  assert.deepEqual(
    [client.name, print_recipient, sold.body.warnings],
    ['Ana la de siempre', true, undefined],
  );
  const xml = await shop.recordOf(id);
  assert.match(xml, /<sf:TipoFactura>F2</);
  assert.doesNotMatch(xml, /Destinatario|Ana|FacturaSimplificadaArt7273/);
  const page = await app.get(new URL(public_url).pathname);
  assert.match(page.text, /Ana la de siempre/);
  const checked = await app.post('/v1/verifactu/integrity-checks', { key: shop.key, body: {} });
  assert.equal(checked.body.data.is_intact, true, checked.text);
  await app.put('/v1/sandbox/clock', { key: shop.key, body: { now: null, frozen: true } });
  const { verifactu } = (await app.get(`/v1/invoices/${id}`, { key: shop.key })).body.data;
  assert.equal(verifactu.status, 'accepted');
});

test('given such a ticket, when it is corrected or substituted, then the R5 prints the name as well, and the F3 has a recipient', async (t) => {
  const app = await startApp(t);
  const { key, sell, recordOf } = await startShop(app);
  const { id } = (await sell({ print_recipient: true })).body.data;
  const correction = { correction: { type: 'differences', reason: 'Devolución' } };
  const corrected = await app.post(`/v1/invoices/${id}/corrective`, { key, body: correction });
  assert.equal(corrected.status, 201, corrected.text);
  const { type, client, print_recipient } = corrected.body.data;
  assert.deepEqual([type, client.name, print_recipient], ['R5', 'Ana la de siempre', true]);
  assert.doesNotMatch(await recordOf(corrected.body.data.id), /Destinatario|Ana/);

  const other = (await sell({ print_recipient: true })).body.data.id;
  const known = await app.post('/v1/clients', { key, body: { name: 'Ana Ruiz', tax_id: '12345678Z' } });
  const full = await app.post('/v1/invoices/substitute-simplified', {
    key,
    body: { simplified_invoice_uuids: [other], client_id: known.body.data.id },
  });
  assert.equal(full.status, 201, full.text);
  assert.deepEqual([full.body.data.type, full.body.data.print_recipient], ['F3', false]);
  assert.match(await recordOf(full.body.data.id), /<sf:NIF>12345678Z</);
});

test('given a client who has a tax id since, when the ticket is corrected, then the R5 prints the name as the ticket did', async (t) => {
  const app = await startApp(t);
  const { key, client_id, sell, recordOf } = await startShop(app);
  const { id } = (await sell({ print_recipient: true })).body.data;
  const known = await app.put(`/v1/clients/${client_id}`, { key, body: { tax_id: '12345678Z' } });
  assert.equal(known.status, 200, known.text);
  const body = { correction: { type: 'differences', reason: 'Devolución' } };
  const corrected = await app.post(`/v1/invoices/${id}/corrective`, { key, body });
  assert.equal(corrected.status, 201, corrected.text);
  assert.deepEqual([corrected.body.data.type, corrected.body.data.print_recipient], ['R5', true]);
  assert.doesNotMatch(await recordOf(corrected.body.data.id), /Destinatario|Ana|12345678Z/);
});

test('given a draft, when print_recipient is set and taken back, then the issue goes by the last', async (t) => {
  const app = await startApp(t);
  const { key, sell } = await startShop(app);
  const { id } = (await sell({ options: {} })).body.data;
  const set = await app.put(`/v1/invoices/${id}`, { key, body: { print_recipient: true } });
  assert.equal(set.body.data.print_recipient, true, set.text);
  const can = async () => (await app.post(`/v1/invoices/${id}/can-issue`, { key })).body.data.can_issue;
  assert.equal(await can(), true);
  const renamed = await app.put(`/v1/invoices/${id}`, { key, body: { notes: 'Gracias' } });
  assert.equal(renamed.body.data.print_recipient, true, 'what is not sent stays');
  await app.put(`/v1/invoices/${id}`, { key, body: { print_recipient: false } });
  assert.equal(await can(), false);
});

test('given a full invoice, or a client with a tax id, when the name is only to be printed, then that is refused', async (t) => {
  const app = await startApp(t);
  const { key, sell } = await startShop(app);
  const full = await sell({ type: 'F1', print_recipient: true });
  assert.deepEqual(
    [full.status, full.body.error?.code, full.body.error?.param],
    [422, 'business_rule_violation', 'print_recipient'],
  );
  const ids = [{ tax_id: '12345678Z' }, { vat_id: 'DE136695976' }];
  for (const [index, identified] of ids.entries()) {
    const made = await app.post('/v1/clients', { key, body: { name: `Cliente ${index}`, ...identified } });
    const refused = await sell({ client_id: made.body.data.id, print_recipient: true });
    assert.deepEqual(
      [refused.status, refused.body.error?.code, refused.body.error?.param],
      [422, 'business_rule_violation', 'print_recipient'],
      refused.text,
    );
  }
});

test('given a client whose tax needs its identification, when a ticket only prints its name, then it is refused', async (t) => {
  const app = await startApp(t);
  const { key, sell } = await startShop(app);
  const untaxed = { description: 'Café', unit_price: 10 };
  for (const [fields, sold, param] of [
    [{ preferred_operation_regime: 'intra_community' }, untaxed, 'type'],
    [{ preferred_operation_regime: 'intra_community' }, { ...untaxed, kind: 'service' }, 'type'],
    [{ preferred_operation_regime: 'reverse_charge' }, untaxed, 'lines.0.qualification'],
    [{ is_surcharge_subject: true }, line, 'client_id'],
  ] as const) {
    const made = await app.post('/v1/clients', { key, body: { name: 'Sin NIF', ...fields } });
    const refused = await sell({ client_id: made.body.data.id, print_recipient: true, lines: [sold] });
    assert.deepEqual(
      [refused.status, refused.body.error?.code, refused.body.error?.param],
      [422, 'business_rule_violation', param],
      refused.text,
    );
  }
});

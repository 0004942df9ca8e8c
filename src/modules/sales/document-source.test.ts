/** An issued invoice is printed as it was at its issue, a draft as things are now. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { documentIn, TestPrinter } from '../../../test/support/test-printer.ts';

const client = {
  name: 'Société Exemple SARL',
  commercial_name: 'Exemple',
  vat_id: 'FR40303265045',
  address: { line1: 'Rue de Rivoli', number: '5', postal_code: '75001', city: 'Paris', country: 'FR' },
  payment_preferences: { method: 'bank_transfer', terms_days: 30 },
};

test('given an issued invoice and a draft, when company and client change, then one is printed as issued and the other as they are now', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'folio-printed-'));
  const app = await startApp(t, { wrap_ports: new TestPrinter().wrap, env: { FOLIO_DATA_DIR: folder } });
  // After the end of the service, which may still write a PDF there.
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { live_key: key, test_key, tax_id } = await app.given.company();
  const company = (body: object) => app.put('/v1/account/company', { key, body });
  await company({
    commercial_name: 'Acme',
    address: { line1: 'Calle Mayor', number: '1', city: 'Madrid', country: 'ES' },
    email: 'hola@acme.example',
    iban: 'ES9121000418450200051332',
    colour: '#112233',
    language: 'ca',
  });
  const { id: client_id } = (await app.post('/v1/clients', { key, body: client })).body.data;
  const lines = [{ description: 'Máquina', unit_price: 100, exemption_reason: 'E5' }];
  const create = async (with_key: string, more: object) => {
    const answer = await app.post('/v1/invoices', { key: with_key, body: { lines, ...more } });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data.id as string;
  };
  const issued = await create(key, { client_id, options: { issue: true } });
  const draft = await create(key, { client_id });
  const printed = async (id: string, with_key = key) =>
    documentIn((await app.get(`/v1/invoices/${id}/pdf`, { key: with_key })).bytes);

  const [first, first_draft] = [await printed(issued), await printed(draft)];
  assert.deepEqual(first.recipient, {
    label: 'Client',
    name: client.name,
    commercial_name: 'Exemple',
    tax_id: { label: 'NIF-IVA', text: client.vat_id },
    address_lines: ['Rue de Rivoli 5', '75001 Paris', 'França'],
    contact: [],
  });
  assert.deepEqual(first_draft.recipient, first.recipient);
  assert.deepEqual(first_draft.issuer, first.issuer);
  assert.deepEqual(first.issuer.tax_id, { label: 'NIF-IVA', text: `ES${tax_id}` });
  assert.deepEqual(
    first.payment?.rows.map((row) => row.label),
    ['Forma de pagament', 'IBAN', 'Venciment'],
  );
  assert.deepEqual([first.title, first.colour, first_draft.marks], ['Factura', '#112233', ['ESBORRANY']]);

  await company({
    name: 'Otra SL',
    commercial_name: null,
    iban: null,
    colour: null,
    language: 'en',
    email: null,
  });
  await app.put(`/v1/clients/${client_id}`, {
    key,
    body: {
      name: 'Nouveau Nom SA',
      commercial_name: null,
      vat_id: null,
      alternative_id: { type: 'passport', value: 'P1', country_code: 'FR' },
      payment_preferences: { method: 'card' },
      address: null,
    },
  });
  assert.deepEqual(await printed(issued), first);
  const now = await printed(draft);
  assert.deepEqual([now.language, now.title, now.colour, now.marks], ['en', 'Invoice', null, ['DRAFT']]);
  assert.deepEqual([now.issuer.name, now.issuer.commercial_name, now.issuer.contact], ['Otra SL', null, []]);
  assert.deepEqual(now.recipient, {
    label: 'Customer',
    name: 'Nouveau Nom SA',
    commercial_name: null,
    tax_id: { label: 'Passport', text: 'P1 (France)' },
    address_lines: [],
    contact: [],
  });
  assert.deepEqual(now.payment?.rows, [{ label: 'Payment method', text: 'Card' }]);

  const annulled = await app.post(`/v1/invoices/${issued}/annul`, { key, body: {} });
  assert.equal(annulled.status, 200, annulled.text);
  assert.deepEqual(await printed(issued), { ...first, marks: ['ANUL·LADA'] });

  const ticket = await create(test_key, {
    type: 'F2',
    lines: [{ description: 'Uno', unit_price: 1, tax_rate: 21 }],
  });
  assert.deepEqual((await printed(ticket, test_key)).marks, ['BORRADOR', 'SIN VALIDEZ FISCAL']);
});

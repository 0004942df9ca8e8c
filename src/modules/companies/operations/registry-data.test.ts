/** The entry in the Registro Mercantil at the foot of documents (Código de Comercio, art. 24). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { readText } from '../../../../test/support/pdf-reader.ts';

const registry_data = 'Inscrita en el Registro Mercantil de Castellón, tomo 1234, folio 56, hoja CS-7890';
const line = { description: 'Azulejos', unit_price: 100, tax_rate: 21 };
const flat = (text: string) => text.replace(/\s+/g, ' ');

test('given a company with its entry in the register, when it issues, then paper and page end with it, as it was then', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const put = await app.put('/v1/account/company', { key, body: { registry_data } });
  assert.deepEqual([put.status, put.body.data.registry_data], [200, registry_data], put.text);
  const made = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { issue: true } },
  });
  const { id, public_url } = made.body.data;
  const cleared = await app.put('/v1/account/company', { key, body: { registry_data: null } });
  assert.equal(cleared.body.data.registry_data, null);

  const page = await app.get(new URL(public_url).pathname);
  assert.ok(page.text.includes(registry_data), page.text);
  for (const format of ['a4', 'ticket_80', 'ticket_58']) {
    const { status, bytes, text } = await app.get(`/v1/invoices/${id}/pdf`, { key, query: { format } });
    assert.equal(status, 200, text);
    const pages = await readText(bytes);
    assert.ok(flat(pages.join(' ')).includes(registry_data), `${format}: ${pages.join('\n')}`);
  }
  const later = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { issue: true } },
  });
  const without = await app.get(new URL(later.body.data.public_url).pathname);
  assert.ok(!without.text.includes('Registro Mercantil'));
});

test('given markup and line breaks in the entry, when it is printed, then it is text on one line', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  await app.put('/v1/account/company', { key, body: { registry_data: 'Tomo 1,\n\n<b>folio</b> #2' } });
  const made = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { issue: true } },
  });
  const page = await app.get(new URL(made.body.data.public_url).pathname);
  assert.ok(page.text.includes('Tomo 1, &lt;b&gt;folio&lt;/b&gt; #2'), page.text);
  const { bytes } = await app.get(`/v1/invoices/${made.body.data.id}/pdf`, { key });
  assert.ok(flat((await readText(bytes)).join(' ')).includes('Tomo 1, <b>folio</b> #2'));
  const long = await app.put('/v1/account/company', { key, body: { registry_data: 'x'.repeat(301) } });
  assert.deepEqual([long.status, long.body.error?.param], [422, 'registry_data']);
});

/** Billing records as invoices are issued: one chain per company, made with the number or not at all. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { startApp } from '../harness.ts';

const line = { description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21 };

test('given VeriFactu on, when tickets are issued, then each has its record and the chain holds', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.test_key;
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  assert.equal(on.body.data.remission_mode, 'verifactu');

  const bodies = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.post('/v1/invoices', {
        key,
        body: { type: 'F2', lines: [line], options: { register_verifactu: true } },
      }),
    ),
  );
  for (const res of bodies) assert.equal(res.status, 201, res.text);
  const { verifactu } = bodies[0]!.body.data;
  assert.equal(verifactu.status, 'pending');
  assert.match(verifactu.huella, /^[0-9A-F]{64}$/);
  assert.match(verifactu.qr_url, /^https:\/\/prewww2\.aeat\.es\/.*&importe=121\.00$/);
  assert.ok(Buffer.from(verifactu.qr_png_base64, 'base64').subarray(1, 4).toString() === 'PNG');

  const company_id = acme.sandbox_company_id;
  const rows = await app.sql<
    {
      position: string;
      huella: string;
      previous_huella: string | null;
      number: string;
      xml: string;
      stamped_at: string;
    }[]
  >`select position, huella, previous_huella, number, xml, stamped_at from verifactu_records
     where company_id = ${company_id} order by position`;
  assert.equal(rows.length, 20);
  for (const [index, row] of rows.entries()) {
    assert.equal(Number(row.position), index + 1);
    assert.equal(row.previous_huella, index === 0 ? null : rows[index - 1]!.huella);
    const text =
      `IDEmisorFactura=${acme.tax_id}&NumSerieFactura=${row.number}&FechaExpedicionFactura=${day(row.stamped_at)}` +
      `&TipoFactura=F2&CuotaTotal=21.00&ImporteTotal=121.00&Huella=${row.previous_huella ?? ''}&FechaHoraHusoGenRegistro=${row.stamped_at}`;
    assert.equal(row.huella, createHash('sha256').update(text).digest('hex').toUpperCase());
  }
});

const day = (stamp: string) => stamp.slice(0, 10).split('-').reverse().join('-');

/**
 * A PDF's text has every line and amount of the API's answer, and no other amount. test/golden/pdf/ keeps the texts;
 * FOLIO_TEST_UPDATE=1 rewrites them.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onOwnDatabase } from '../harness.ts';
import { readText } from '../support/pdf-reader.ts';
import { assertSays, plain } from '../support/printed-text.ts';
import { create } from '../support/resource-checks.ts';

const startApp = onOwnDatabase();

const golden = fileURLToPath(new URL('../golden/pdf/', import.meta.url));
const is_update = process.env.FOLIO_TEST_UPDATE === '1';
const has_pdftotext = spawnSync('pdftotext', ['-v']).error === undefined;

const address = (line1: string, city: string, postal_code: string) => ({
  line1,
  city,
  postal_code,
  country: 'ES',
});
const issuer = {
  name: 'Ferretería La Ñora SL',
  address: address('Calle Mayor', 'Madrid', '28013'),
  email: 'hola@lanora.example',
  iban: 'ES9121000418450200051332',
};

async function givenShop(t: TestContext, environment: 'live' | 'test' = 'live') {
  const app = await startApp(t);
  app.clock.set('2026-11-21T10:00:00Z');
  const company = await app.given.company({ tax_id: 'B12345674' });
  const key = environment === 'live' ? company.live_key : company.test_key;
  const put = await app.put('/v1/account/company', { key, body: issuer });
  assert.equal(put.status, 200, put.text);
  await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  const { id: client_id } = await create(app, '/v1/clients', key, {
    name: 'Librería Norte SL',
    tax_id: 'A58818501',
    address: address('Gran Vía', 'Bilbao', '48001'),
    payment_preferences: { method: 'bank_transfer', terms_days: 30 },
  });
  return { app, key, client_id, issuer: put.body.data };
}

type Shop = Awaited<ReturnType<typeof givenShop>>;

async function assertPrinted({ app, key, issuer: company }: Shop, id: string, format: string, name: string) {
  const { data } = (await app.get(`/v1/invoices/${id}`, { key })).body;
  const { status, bytes, text } = await app.get(`/v1/invoices/${id}/pdf`, { key, query: { format } });
  assert.equal(status, 200, text);
  const pages = await readText(bytes);
  assertSays(pages.join('\n'), data, { issuer: company });
  const file = `${golden}${name}.txt`;
  const read = `${pages.join('\n\f\n').trimEnd()}\n`;
  if (is_update) {
    mkdirSync(golden, { recursive: true });
    writeFileSync(file, read);
  }
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  assert.deepEqual(read.split('\n'), kept.split('\n'), `${name}.txt: FOLIO_TEST_UPDATE=1 rewrites it`);
  return { data, pages, bytes };
}

const kinds = [
  {
    description: 'Consultoría de sistemas',
    quantity: 3,
    unit: 'h',
    unit_price: 80,
    tax_rate: 21,
    retention_rate: 15,
  },
  {
    description: 'Manual impreso',
    quantity: 2,
    unit_price: 1015.5,
    discount_percent: 10,
    tax_rate: 4,
    retention_rate: 15,
  },
  {
    description: 'Curso de formación',
    quantity: 1.5,
    unit_price: 24.99999999,
    exemption_reason: 'E1',
    retention_rate: 15,
  },
];

for (const format of ['a4', 'ticket_80', 'ticket_58'])
  test(`given a full invoice with discount, exemption and retention, then its ${format} says what the API says`, async (t) => {
    const shop = await givenShop(t);
    const body = {
      client_id: shop.client_id,
      operation_on: '2026-11-20',
      lines: kinds,
      notes: 'Gracias por su confianza.',
    };
    const { id } = await create(shop.app, '/v1/invoices', shop.key, { ...body, options: { issue: true } });
    const { bytes } = await assertPrinted(shop, id, format, `full-${format}`);
    await t.test(
      'as pdftotext reads it, too',
      { skip: has_pdftotext ? false : 'pdftotext is not installed' },
      async () => {
        const { data } = (await shop.app.get(`/v1/invoices/${id}`, { key: shop.key })).body;
        const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: bytes, encoding: 'utf8' });
        assertSays(text, data, { issuer: shop.issuer });
      },
    );
  });

test('given a simplified invoice with surcharge in a sandbox, then its roll says so, and that it is no invoice', async (t) => {
  const shop = await givenShop(t, 'test');
  const lines = [
    { description: 'Pan', quantity: 12, unit_price: 0.85, tax_rate: 4, surcharge_rate: 0.5 },
    {
      description: 'Aceite de oliva virgen extra, garrafa de cinco litros, primera prensada en frío',
      unit_price: 41.2,
      tax_rate: 4,
      surcharge_rate: 0.5,
    },
    { description: 'Tornillos', quantity: 250, unit_price: 0.0123, tax_rate: 21, surcharge_rate: 5.2 },
  ];
  const { id } = await create(shop.app, '/v1/invoices', shop.key, {
    type: 'F2',
    lines,
    options: { issue: true },
  });
  const { pages } = await assertPrinted(shop, id, 'ticket_58', 'simplified-ticket_58');
  assert.match(plain(pages.join(' ')), /SIN VALIDEZ FISCAL/);
});

test('given a corrective invoice, then it names what it corrects, with amounts below nothing', async (t) => {
  const shop = await givenShop(t);
  const { app, key, client_id } = shop;
  const { id: original } = await create(app, '/v1/invoices', key, {
    client_id,
    lines: kinds,
    options: { issue: true },
  });
  const corrective = await create(app, `/v1/invoices/${original}/corrective`, key, {
    correction: { type: 'differences', reason: 'Devolución' },
    lines: [
      {
        description: 'Manual impreso, devuelto',
        quantity: -1,
        unit_price: 1015.5,
        discount_percent: 10,
        tax_rate: 4,
      },
    ],
  });
  const { data } = await assertPrinted(shop, corrective.id, 'a4', 'corrective-a4');
  assert.ok(data.total < 0);
});

test('given 120 lines, then they go on over pages that carry their sum, in order and none twice', async (t) => {
  const shop = await givenShop(t);
  const lines = Array.from({ length: 120 }, (_, i) => ({
    description: `Pieza número ${String(i + 1).padStart(3, '0')}.`,
    quantity: (i % 7) + 1,
    unit_price: (1000 + i) / 100,
    tax_rate: 21,
  }));
  const body = { client_id: shop.client_id, lines, options: { issue: true } };
  const { id } = await create(shop.app, '/v1/invoices', shop.key, body);
  const { pages, data } = await assertPrinted(shop, id, 'a4', 'long-a4');
  assert.ok(pages.length > 2, `${pages.length} pages`);
  const numbers = [...plain(pages.join(' ')).matchAll(/Pieza número (\d+)\./g)].map(([, number]) =>
    Number(number),
  );
  assert.deepEqual(
    numbers,
    Array.from({ length: 120 }, (_, i) => i + 1),
  );
  for (const [i, page] of pages.entries()) {
    const text = plain(page);
    assert.ok(text.includes(`Página ${i + 1} de ${pages.length}`), text);
    assert.ok(text.includes(data.number), text);
    // The sum carried to the next page covers the lines so far.
    const last = [...text.matchAll(/Pieza número (\d+)\./g)].at(-1)?.[1];
    if (last === undefined || Number(last) === 120) continue;
    const cents = data.lines
      .slice(0, Number(last))
      .reduce((sum: number, line: { subtotal: number }) => sum + Math.round(line.subtotal * 100), 0);
    const carried = (cents / 100).toLocaleString('es-ES', {
      minimumFractionDigits: 2,
      useGrouping: 'always',
    } as Intl.NumberFormatOptions);
    assert.ok(text.includes(`Suma y sigue ${carried}`), `page ${i + 1}: ${carried} in ${text.slice(-300)}`);
    assert.ok(plain(pages[i + 1] ?? '').includes(`Suma anterior ${carried}`), `page ${i + 2}: ${carried}`);
  }
});

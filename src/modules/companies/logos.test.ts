import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { sampleLogos } from '../../../test/support/printed-sample-logos.ts';
import { assertRefused } from '../../../test/support/resource-checks.ts';
import { documentIn, TestPrinter } from '../../../test/support/test-printer.ts';
import { logosMax } from './logos.ts';

const path = '/v1/account/company';
const urlOf = ({ media_type, base64 }: { media_type: string; base64: string }) =>
  `data:${media_type};base64,${base64}`;
const svg = {
  media_type: 'image/svg+xml',
  base64: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9"/></svg>',
  ).toString('base64'),
};

async function withPrinter(t: TestContext): Promise<App> {
  const folder = mkdtempSync(join(tmpdir(), 'folio-logos-'));
  const app = await startApp(t, { wrap_ports: new TestPrinter().wrap, env: { FOLIO_DATA_DIR: folder } });
  // After the end of the service, which may still write a PDF there.
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return app;
}

test('given an issued invoice, when the logo changes or goes, then it keeps its own, and a draft has the new one', async (t) => {
  const app = await withPrinter(t);
  const acme = await app.given.company();
  const { live_key: key, company_id } = acme;
  const put = async (logo: string | null) => {
    const answer = await app.put(path, { key, body: { logo } });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.logo, logo);
  };
  const lines = [{ description: 'Uno', unit_price: 10, tax_rate: 21 }];
  const create = async (issue: boolean) =>
    (await app.post('/v1/invoices', { key, body: { type: 'F2', lines, options: { issue } } })).body.data
      .id as string;
  const printed = async (id: string) => {
    const { bytes, headers } = await app.get(`/v1/invoices/${id}/pdf`, { key });
    return { logo: documentIn(bytes).logo, etag: headers.etag };
  };
  const before = await create(true);
  await put(urlOf(sampleLogos.photo));
  const [first, draft] = [await create(true), await create(false)];
  const alternative_text = 'Acme SL';
  const { media_type, base64 } = sampleLogos.photo;
  assert.deepEqual((await printed(first)).logo, { media_type, base64, alternative_text });
  const { etag } = await printed(first);

  await put(urlOf(sampleLogos.square));
  const second = await create(true);
  await put(null);
  assert.equal((await printed(draft)).logo, null);
  await put(urlOf(sampleLogos.wide));
  // The company had this logo before, so its row exists.
  await put(urlOf(sampleLogos.photo));
  assert.equal((await printed(before)).logo, null);
  assert.deepEqual(await printed(first), { logo: { media_type, base64, alternative_text }, etag });
  assert.equal((await printed(second)).logo?.base64, sampleLogos.square.base64);
  assert.equal((await printed(draft)).logo?.base64, base64);
  const [kept] =
    await app.sql`select count(*)::integer as count from company_logos where company_id = ${company_id}`;
  assert.equal(kept?.count, 3);

  // A logo cannot be changed, deleted or seen by another company.
  for (const change of [
    'update company_logos set content = $1',
    'delete from company_logos where content <> $1',
  ])
    await assert.rejects(
      app.sql.begin(async (tx) => {
        await tx`set local role folio_service`;
        await tx`select set_config('app.company', ${company_id}, true)`;
        await tx.unsafe(change, [Buffer.from('x')]);
      }),
      { code: '42501' },
    );
  const other = await app.given.company();
  const seen = await app.sql.begin(async (tx) => {
    await tx`set local role folio_service`;
    await tx`select set_config('app.company', ${other.company_id}, true)`;
    return tx`select hash from company_logos`;
  });
  assert.deepEqual([...seen], []);
});

test('given a logo that cannot be printed, when it is sent, then it is refused, unless it was there before the checks', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { live_key: key, company_id } = acme;
  const cases: [logo: string, message: RegExp][] = [
    [urlOf({ media_type: 'image/png', base64: Buffer.from('no image').toString('base64') }), /PNG/],
    [urlOf({ media_type: 'image/jpeg', base64: sampleLogos.photo.base64 }), /JPEG/],
    [urlOf(svg), /PNG o JPEG.*SVG ya no se admite/],
    [urlOf({ media_type: 'image/gif', base64: Buffer.from('GIF89a').toString('base64') }), /PNG o JPEG/],
  ];
  for (const [logo, message] of cases) {
    const answer = await app.put(path, { key, body: { logo, phone: '+34 600 000 000' } });
    assertRefused(answer, 422, 'parameter_invalid', 'logo');
    assert.match(answer.body.error.errors[0].message, message);
  }
  const old = cases[0]![0];
  const good = urlOf(sampleLogos.square);
  const stored = async () =>
    (await app.sql`select logo, logo_hash, phone from companies where company_id = ${company_id}`)[0];
  assert.deepEqual({ ...(await stored()) }, { logo: null, logo_hash: null, phone: null });

  await app.sql`update companies set logo = ${old} where company_id = ${company_id}`;
  const sent_back = await app.put(path, { key, body: { logo: old, phone: '+34 600 000 001' } });
  assert.equal(sent_back.status, 200, sent_back.text);
  assert.deepEqual({ ...(await stored()) }, { logo: old, logo_hash: null, phone: '+34 600 000 001' });

  await app.sql`update companies set logo = ${good} where company_id = ${company_id}`;
  assert.equal((await app.put(path, { key, body: { logo: good } })).status, 200);
  assert.match((await stored())?.logo_hash, /^[0-9a-f]{64}$/);

  await app.sql`
    insert into company_logos (company_id, hash, media_type, content, created_at)
    select ${company_id}, 'old ' || n, 'image/png', '\\x00', now() from generate_series(2, ${logosMax}) n`;
  const beyond = await app.put(path, { key, body: { logo: urlOf(sampleLogos.tall) } });
  assertRefused(beyond, 422, 'business_rule_violation', 'logo');
  assert.equal((await app.put(path, { key, body: { logo: good } })).status, 200);
});

test('given an SVG logo of an earlier version, then settings and documents are without it, and a PNG takes its place', async (t) => {
  const app = await withPrinter(t);
  const { live_key: key, company_id } = await app.given.company();
  const hash = 'a'.repeat(64);
  await app.sql`
    insert into company_logos (company_id, hash, media_type, content, created_at)
    values (${company_id}, ${hash}, ${svg.media_type}, ${Buffer.from(svg.base64, 'base64')}, now())`;
  await app.sql`update companies set logo = ${urlOf(svg)}, logo_hash = ${hash} where company_id = ${company_id}`;
  const stored = async () =>
    (await app.sql`select logo, logo_hash, phone from companies where company_id = ${company_id}`)[0];
  const body = {
    type: 'F2',
    lines: [{ description: 'Uno', unit_price: 10, tax_rate: 21 }],
    options: { issue: true },
  };
  const issue = async () => (await app.post('/v1/invoices', { key, body })).body.data.id as string;
  const logoOf = async (id: string) => {
    const { status, bytes } = await app.get(`/v1/invoices/${id}/pdf`, { key });
    assert.equal(status, 200);
    return documentIn(bytes).logo;
  };

  const issued = await issue();
  assert.equal(await logoOf(issued), null);
  const settings = await app.get(path, { key });
  assert.equal(settings.body.data.logo, null);

  // Sending back what was read changes nothing; another setting leaves the picture alone.
  const sent_back = await app.put(path, { key, body: settings.body.data });
  assert.deepEqual(sent_back.body.data, settings.body.data);
  assert.equal((await app.put(path, { key, body: { phone: '+34 600 000 000' } })).status, 200);
  assert.deepEqual({ ...(await stored()) }, { logo: urlOf(svg), logo_hash: hash, phone: '+34 600 000 000' });

  assertRefused(await app.put(path, { key, body: { logo: urlOf(svg) } }), 422, 'parameter_invalid', 'logo');
  const png = urlOf(sampleLogos.photo);
  assert.equal((await app.put(path, { key, body: { logo: png } })).body.data.logo, png);
  assert.equal(await logoOf(issued), null);
  assert.equal((await logoOf(await issue()))?.base64, sampleLogos.photo.base64);
});

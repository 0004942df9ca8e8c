import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import {
  checkIntegrity,
  eventsOf,
  issueTicket,
  type RecordingCompany,
  recordingCompany,
} from '../../../../test/support/recording-company.ts';
import { silentLog } from '../../../../test/support/worker-place.ts';
import { makeRecordReader } from '../../../integrations/aeat/record-reader.ts';
import { makePorts } from '../../../main/ports.ts';
import { addDays, dayIn } from '../../../kernel/dates.ts';
import { FolderRefused } from '../../../platform/new-folder.ts';
import { makeSecretBox } from '../../../platform/secrets.ts';
import { type Manifest, readTexts, writeTexts } from './rules/export-file.ts';
import { exportPeriod, ExportRefused } from './export-period.ts';
import { verifyExport } from './verify-export.ts';

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'folio-export-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function exportTo(
  app: App,
  { id }: RecordingCompany,
  folder: string,
  period?: { from: string; to: string },
  db = app.db,
) {
  const secrets = makeSecretBox(app.config.FOLIO_SECRET_KEY ?? '');
  const { ports, close } = await makePorts(app.config, app.db, app.clock, secrets, silentLog);
  const today = dayIn('Europe/Madrid', app.clock.now());
  try {
    return await exportPeriod(db, ports, id, period ?? { from: today, to: today }, folder, app.clock.now());
  } finally {
    await close();
  }
}

const verify = (app: App, folder: string) => verifyExport(folder, makeRecordReader(null), app.clock.now());

const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;

for (const mode of ['verifactu', 'no_verifactu'] as const) {
  test(`given a company in ${mode} mode, when its records are exported, then the folder alone shows that all is well`, async (t) => {
    const app = await startApp(t);
    const acme = await recordingCompany(app, { remission_mode: mode });
    for (let i = 0; i < 4; i++) await issueTicket(app, acme);
    const folder = await emptyFolder(t);

    const done = await exportTo(app, acme, folder);

    const is_signed = mode === 'no_verifactu';
    assert.deepEqual([done.records, done.events, done.is_logged], [4, is_signed ? 1 : 0, is_signed]);
    const check = await verify(app, folder);
    assert.deepEqual(check.faults, []);
    assert.equal(check.is_intact, true);
    assert.deepEqual(check.checked, {
      files: is_signed ? 3 : 2,
      records: 4,
      events: is_signed ? 1 : 0,
      signatures: is_signed ? 5 : 0,
    });
    assert.equal(check.manifest_sha256, done.manifest_sha256);

    const manifest = await manifestOf(folder);
    const file = manifest.files.find(({ kind }) => kind === 'records')!;
    const texts = readTexts('records', await readFile(join(folder, file.path)));
    const stored = await app.sql<{ xml: string }[]>`
      select xml from verifactu_records where company_id = ${acme.id} order by position`;
    assert.deepEqual(
      texts.map(({ xml }) => xml),
      stored.map(({ xml }) => xml),
      'the exact texts',
    );
    assert.deepEqual(
      [manifest.records.altas, manifest.records.anulaciones, manifest.records.total],
      [4, 0, '486.44'],
    );
    const readme = await readFile(join(folder, 'LEEME.txt'), 'utf8');
    assert.match(readme, /Registros de facturación: 4 \(4 altas, 0 anulaciones\)\n/);
    assert.match(readme, /Suma de importes de las altas: 486,44\n/);
  });
}

test('given no-verifactu mode, when a period is exported, then events 08 and 09 tell of it with the hash of the manifest', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  await issueTicket(app, acme);
  const { manifest_sha256 } = await exportTo(app, acme, await emptyFolder(t));
  const events = await eventsOf(app, acme);
  assert.deepEqual(
    events.map((event) => event.type),
    ['01', '08', '09'],
  );
  assert.match(events[1]!.xml, new RegExp(manifest_sha256));
  assert.match(events[1]!.xml, /<ev:NumeroDeRegistrosFacturacionAltaExportados>1</);
  assert.match(events[2]!.xml, /<ev:NumeroDeRegEventoExportados>1</);
  assert.equal((await checkIntegrity(app, acme)).is_intact, true);
});

test('given invoices whose sum is larger than the schema of events takes, when their period is exported, then event 08 holds the largest amount and the manifest the sum', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  const client = await app.post('/v1/clients', {
    key: acme.key,
    body: { name: 'Librería Norte SL', tax_id: 'A58818501' },
  });
  const lines = [{ description: 'Cesión', unit_price: 999_999_999_999.99, exemption_reason: 'E1' }];
  for (let i = 0; i < 2; i++)
    await issueTicket(app, acme, { type: 'F1', client_id: client.body.data.id, lines });
  const folder = await emptyFolder(t);
  await exportTo(app, acme, folder);
  const event = (await eventsOf(app, acme)).find(({ type }) => type === '08')!;
  assert.match(event.xml, /<ev:SumaImporteTotalAlta>999999999999\.99</);
  assert.equal((await manifestOf(folder)).records.total, '1999999999999.98');
});

test('given no-verifactu mode, when the log cannot tell of an export, then the folder is none that was finished', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  await issueTicket(app, acme);
  const folder = await emptyFolder(t);
  const gone = new Error('The database is gone.');
  const db = { ...app.db, transaction: () => Promise.reject(gone) };

  await assert.rejects(exportTo(app, acme, folder, undefined, db), gone);

  assert.equal((await readdir(folder)).includes('manifest.json'), false);
  await assert.rejects(exportTo(app, acme, folder), /it holds an export that was not finished/);
  const events = await eventsOf(app, acme);
  assert.deepEqual(
    events.map((event) => event.type),
    ['01'],
  );
});

test('given a period in the middle, when it is exported, then it links to the record before it', async (t) => {
  const app = await startApp(t);
  // Where summer time begins or ends, a day is not of 24 hours.
  app.clock.set('2026-06-15T10:00:00Z');
  const acme = await recordingCompany(app);
  const { key } = acme;
  for (let i = 0; i < 3; i++) {
    await issueTicket(app, acme);
    const now = new Date(app.clock.now().getTime() + (i + 1) * 86_400_000).toISOString();
    const moved = await app.put('/v1/sandbox/clock', { key, body: { now, frozen: false } });
    assert.ok(moved.status < 300, moved.text);
  }
  const today = dayIn('Europe/Madrid', app.clock.now());
  const folder = await emptyFolder(t);
  const day = addDays(today, 1);
  const done = await exportTo(app, acme, folder, { from: day, to: day });
  assert.equal(done.records, 1);
  const manifest = await manifestOf(folder);
  assert.equal(manifest.records.first_position, 2);
  assert.match(manifest.records.before?.number ?? '', /000001$/);
  assert.deepEqual((await verify(app, folder)).faults, []);

  await change(folder, 'manifest.json', (text) =>
    text.replace(manifest.records.before!.huella, '0'.repeat(64)),
  );
  const check = await verify(app, folder);
  assert.deepEqual(kindsOf(check), ['record_previous_huella_wrong']);
});

test('given a folder that holds something, or a company without records, when it is exported, then that is refused', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const folder = await emptyFolder(t);
  await writeFile(join(folder, 'mine.txt'), '');
  await assert.rejects(exportTo(app, acme, folder), FolderRefused);
  assert.deepEqual(await readdir(folder), ['mine.txt']);
  const other = await app.given.company();
  const never = { ...other, key: other.test_key, id: other.sandbox_company_id };
  await assert.rejects(exportTo(app, never, await emptyFolder(t)), ExportRefused);
});

test('given more records than a file holds, when they are exported, then in several files that are checked as one chain', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  for (let i = 0; i < 11; i++) {
    const elements = Array.from({ length: 100 }, () => ({
      type: 'F2',
      lines: [{ description: 'Café', quantity: 1, unit_price: 1.2, tax_rate: 10 }],
      options: { issue: true },
    }));
    const res = await app.post('/v1/invoices/bulk-create', { key: acme.key, body: { invoices: elements } });
    assert.ok(res.status < 300, res.text);
  }
  const folder = await emptyFolder(t);
  assert.equal((await exportTo(app, acme, folder)).records, 1100);
  assert.equal((await readdir(join(folder, 'registros'))).length, 2);
  const check = await verify(app, folder);
  assert.deepEqual([check.is_intact, check.checked.records], [true, 1100]);
  assert.equal((await checkIntegrity(app, acme)).checked.records, 1100);
});

async function change(folder: string, path: string, edit: (text: string) => string): Promise<void> {
  const before = await readFile(join(folder, path), 'utf8');
  const after = edit(before);
  assert.notEqual(after, before, 'the damage changes nothing');
  await writeFile(join(folder, path), after);
}

/** Hides a change: writes the new hash into the manifest. */
async function changeAndSign(folder: string, kind: 'records' | 'events', edit: (text: string) => string) {
  const manifest = await manifestOf(folder);
  const file = manifest.files.find((one) => one.kind === kind)!;
  await change(folder, file.path, edit);
  file.sha256 = createHash('sha256')
    .update(await readFile(join(folder, file.path)))
    .digest('hex');
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
}

const kindsOf = ({ faults }: { faults: readonly { kind: string }[] }) =>
  [...new Set(faults.map((fault) => fault.kind))].sort();

type Texts = ReturnType<typeof readTexts>;
const rewrite = (kind: 'records' | 'events', edit: (texts: Texts) => Texts) => (folder: string) =>
  changeAndSign(folder, kind, (text) => writeTexts(kind, edit(readTexts(kind, Buffer.from(text)))));

const pathOf = async (folder: string, kind: string) =>
  (await manifestOf(folder)).files.find((file) => file.kind === kind)!.path;

const damages: readonly (readonly [string, (folder: string) => Promise<unknown>, readonly string[]])[] = [
  [
    'a byte of a file of records is another',
    async (folder) =>
      change(folder, await pathOf(folder, 'records'), (text) => text.replace('Consul', 'Konsul')),
    ['file_changed', 'record_signature_wrong'],
  ],
  [
    'a byte of a file of events is another',
    async (folder) => change(folder, await pathOf(folder, 'events'), (text) => text.replace('Acme', 'Azme')),
    ['event_signature_wrong', 'file_changed'],
  ],
  ['the README is another', (folder) => appendFile(join(folder, 'LEEME.txt'), 'x'), ['file_changed']],
  ['the README is gone', (folder) => unlink(join(folder, 'LEEME.txt')), ['file_missing']],
  [
    'a file of records is gone',
    async (folder) => unlink(join(folder, await pathOf(folder, 'records'))),
    ['file_missing', 'manifest_differs'],
  ],
  [
    'a file is there that is not listed',
    (folder) => writeFile(join(folder, 'more.xml'), ''),
    ['file_unlisted'],
  ],
  ['the manifest is gone', (folder) => unlink(join(folder, 'manifest.json')), ['manifest_unreadable']],
  [
    'the manifest is none',
    (folder) => writeFile(join(folder, 'manifest.json'), '{"format":"folio-verifactu-export","version":1}'),
    ['manifest_unreadable'],
  ],
  [
    'the manifest counts otherwise',
    (folder) => change(folder, 'manifest.json', (text) => text.replace('"altas": 4', '"altas": 5')),
    ['manifest_differs'],
  ],
  [
    'the manifest names another taxpayer',
    (folder) =>
      change(folder, 'manifest.json', (text) => text.replace(/"tax_id": "\w+"/, '"tax_id": "B12345674"')),
    ['manifest_differs'],
  ],
  [
    'the manifest names no taxpayer',
    (folder) => change(folder, 'manifest.json', (text) => text.replace(/"tax_id": "\w+"/, '"tax_id": null')),
    ['manifest_unreadable'],
  ],
  [
    'a path of the manifest leads out of the folder',
    (folder) => change(folder, 'manifest.json', (text) => text.replace('"LEEME.txt"', '"../LEEME.txt"')),
    ['manifest_unreadable'],
  ],
  [
    'a file is cut short and its hash renewed',
    (folder) => changeAndSign(folder, 'records', (text) => text.slice(0, -40)),
    ['file_unreadable', 'manifest_differs'],
  ],
  [
    'a total is another and the hash of its file renewed',
    rewrite('records', (texts) =>
      texts.map((one, i) => (i === 1 ? { ...one, xml: one.xml.replace('>121.61<', '>121.62<') } : one)),
    ),
    ['manifest_differs', 'record_huella_wrong', 'record_signature_wrong'],
  ],
  [
    'a record is left out',
    rewrite('records', (texts) => texts.filter((_, i) => i !== 1)),
    ['manifest_differs', 'record_missing'],
  ],
  ['the last record is left out', rewrite('records', (texts) => texts.slice(0, -1)), ['manifest_differs']],
  [
    'two records have changed places',
    rewrite('records', ([a, b, ...rest]) => [{ ...b!, position: 1 }, { ...a!, position: 2 }, ...rest]),
    ['record_link_wrong', 'record_previous_huella_wrong'],
  ],
  [
    'a signature is gone',
    rewrite('records', (texts) =>
      texts.map((one) => ({ ...one, xml: one.xml.replace(/<ds:Signature .*<\/ds:Signature>/, '') })),
    ),
    ['record_signature_missing'],
  ],
  [
    'an event is not what was signed',
    rewrite('events', (texts) => texts.map((one) => ({ ...one, xml: one.xml.replace('Acme', 'Otra') }))),
    ['event_signature_wrong'],
  ],
  ['an event is left out', rewrite('events', () => []), ['manifest_differs']],
];

test('given a manifest that names another taxpayer, when the folder is checked, then it is told how many records and events are of whom', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  for (let i = 0; i < 2; i++) await issueTicket(app, acme);
  const folder = await emptyFolder(t);
  await exportTo(app, acme, folder);
  const { tax_id } = (await manifestOf(folder)).taxpayer;
  await change(folder, 'manifest.json', (text) =>
    text.replace(`"tax_id": "${tax_id}"`, '"tax_id": "B12345674"'),
  );
  const { faults } = await verify(app, folder);
  assert.deepEqual(
    faults.map((fault) => fault.message),
    [
      `Nombra como obligado a B12345674; registros de ${tax_id}: 2.`,
      `Nombra como obligado a B12345674; eventos de ${tax_id}: 1.`,
    ],
  );
});

test('given an export, when it is damaged in any way, then that is found and named', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  for (let i = 0; i < 4; i++) await issueTicket(app, acme);
  const whole = await emptyFolder(t);
  await exportTo(app, acme, whole);
  for (const [what, harm, finds] of damages) {
    await t.test(`when ${what}`, async (t) => {
      const folder = await emptyFolder(t);
      await cp(whole, folder, { recursive: true });
      await harm(folder);
      const check = await verify(app, folder);
      assert.deepEqual(kindsOf(check), finds, JSON.stringify(check.faults));
      assert.equal(check.is_intact, false);
    });
  }
});

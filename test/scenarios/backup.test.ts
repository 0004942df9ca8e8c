/** A backup while invoices are issued, brought into a second place and into a database of another server. */
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { request } from 'undici';
import type { Manifest } from '../../src/main/backup/backup-folder.ts';
import { readDatabaseUrl } from '../../src/main/database.ts';
import { connect } from '../../src/platform/db.ts';
import { certificateFile, certificatePath, filePassword } from '../support/company-certificates.ts';
import {
  createCompanies,
  createCompany,
  type Ended,
  Installation,
  type Keys,
} from '../support/installation.ts';
import { assertAllKept, keepIssuing, listInvoices } from '../support/keep-issuing.ts';
import { makeOwnedDatabase } from '../support/owned-database.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/worker-place.ts';

const secret = { FOLIO_SECRET_KEY: 'a secret key for the tests, 32 characters or more' };

/** The key of a backup may be the one that is being rotated out. */
const rotated = {
  FOLIO_SECRET_KEY: 'the secret key that came after, 32 characters or more',
  FOLIO_SECRET_KEY_PREVIOUS: secret.FOLIO_SECRET_KEY,
};

async function call(place: Installation, key: string, path: string, body?: object): Promise<Buffer> {
  const response = await request(`${place.url}${path}`, {
    method: body === undefined ? 'GET' : /\/(settings|certificate)$/.test(path) ? 'PUT' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  assert.ok(response.statusCode < 300, bytes.toString());
  return bytes;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;

const contents = ({ tables }: Manifest) =>
  Object.fromEntries(tables.map(({ name, rows, sha256 }) => [name, `${rows} ${sha256}`]));

function assertDone({ code, stdout, stderr }: Ended): string {
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  return stdout;
}

async function stop(service: ServiceProcess): Promise<void> {
  service.signal('SIGTERM');
  await service.exited();
}

/** The folder, and a copy of it with a fault for each refusal. */
function faultyCopies(folder: string): [args: string[], says: RegExp][] {
  const copy = (name: string, damage: (copied: string) => void): string => {
    const copied = `${folder}-${name}`;
    cpSync(folder, copied, { recursive: true });
    damage(copied);
    return copied;
  };
  const change = (path: string, edit: (bytes: Buffer) => Buffer) =>
    writeFileSync(path, edit(readFileSync(path)));
  const blob = readFileSync(join(folder, 'blobs.list'), 'utf8').split('\n')[0]!.split(' ')[2]!;
  const edited = (edit: (manifest: Manifest) => object) => (copied: string) =>
    writeFileSync(join(copied, 'manifest.json'), JSON.stringify(edit(manifestOf(copied))));
  const invoices = 'tables/invoices.copy.zst';
  return [
    [['restore'], /Say the folder/],
    [['backup', ''], /Say the folder/],
    [['restore', `${folder}-none`], /is no backup, or one that was not finished/],
    [['restore', copy('begun', (at) => rmSync(join(at, 'manifest.json')))], /was not finished/],
    [
      ['restore', copy('short', (at) => change(join(at, invoices), (b) => b.subarray(0, -9)))],
      /invoices\S* is damaged/,
    ],
    [['restore', copy('gone', (at) => rmSync(join(at, invoices)))], /invoices\S* is damaged/],
    [
      [
        'restore',
        copy('swapped', (at) => renameSync(join(at, 'tables/series.copy.zst'), join(at, invoices))),
      ],
      /is damaged/,
    ],
    [
      ['restore', copy('blob', (at) => change(join(at, 'blobs', blob), (b) => Buffer.concat([b, b])))],
      /pdf is damaged/,
    ],
    [
      ['restore', copy('list', (at) => change(join(at, 'blobs.list'), (b) => b.subarray(1)))],
      /blobs.list is damaged/,
    ],
    [
      [
        'restore',
        copy(
          'kind',
          edited((m) => ({ ...m, format: 2 })),
        ),
      ],
      /of another kind: format/,
    ],
    [
      [
        'restore',
        copy(
          'build',
          edited((m) => ({
            ...m,
            migrations: [...m.migrations, { name: '9999_x.sql', hash: 'a'.repeat(64) }],
          })),
        ),
      ],
      /by another build, with the migration 9999_x.sql/,
    ],
    [
      [
        'restore',
        copy(
          'key',
          edited((m) => ({ ...m, secret_key_check: 'a'.repeat(64) })),
        ),
      ],
      /under a secret key that is not here/,
    ],
  ];
}

async function givenBackup(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'folio-backup-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const place = await Installation.makeMigrated(t, secret);
  const service = await place.start();
  const [keys, logged] = (await createCompanies(place, ['B12345674', 'B00000018'])) as [Keys, Keys];
  await call(place, keys.test_key, '/v1/verifactu/settings', { enabled: true });
  const certificate = { pkcs12_base64: certificateFile({ tax_id: 'B00000018' }), password: filePassword };
  await call(place, logged.test_key, certificatePath, certificate);
  const mode = { enabled: true, remission_mode: 'no_verifactu' };
  await call(place, logged.test_key, '/v1/verifactu/settings', mode);
  const made = await call(place, keys.test_key, '/v1/invoices', {
    type: 'F2',
    lines: [{ description: 'Pan\nde "ayer"\\t\t€', unit_price: 2, tax_rate: 4 }],
    options: { issue: true },
  });
  const pdf = `/v1/invoices/${JSON.parse(made.toString()).data.id}/pdf`;
  const paper = await call(place, keys.test_key, pdf);
  return { folder, place, service, keys, logged, pdf, paper };
}

/** Killed before its rows are there, then done again. Where the kill came too late, in a place of its own. */
async function restoreInTwo(
  t: TestContext,
  place: Installation,
  backup: string,
  tries = 5,
): Promise<{ place: Installation; told: string }> {
  await place.keepDatabase();
  const killed = place.begin(['restore', backup]);
  // The rows come after the files.
  await until(() => existsSync(join(place.data_dir, 'blobs')));
  await killed.kill();
  const again = await place.run(['restore', backup]);
  if (tries > 1 && /holds data already/.test(again.stderr))
    return restoreInTwo(t, await Installation.make(t, secret), backup, tries - 1);
  return { place, told: assertDone(again) };
}

const moveFolders = ({ data_dir }: Installation) =>
  readdirSync(data_dir).filter((name) => name.startsWith('move-'));

/** Killed while it writes its rows. @returns the folder that it leaves */
async function killMove(place: Installation, url: string): Promise<string> {
  const killed = place.begin(['move', '--to', url]);
  await until(() => moveFolders(place).some((name) => existsSync(join(place.data_dir, name, 'tables'))));
  await killed.kill();
  const [left = ''] = moveFolders(place);
  assert.notEqual(left, '', 'the move was killed in time');
  return join(place.data_dir, left);
}

/** A company is made while the move waits for the structure of the new database. */
async function writeDuringMove(place: Installation, url: string): Promise<Ended> {
  const other = connect({ target: readDatabaseUrl(url), pool_size: 1, role: null });
  try {
    await other`select pg_advisory_lock(7310446)`;
    const moving = place.begin(['move', '--to', url]);
    await until(async () => (await other`select 1 from pg_locks where not granted`).length > 0);
    await createCompany(place, 'B00000026');
    await other`select pg_advisory_unlock(7310446)`;
    const code = await moving.exited();
    return { code, stdout: moving.stdout, stderr: moving.stderr };
  } finally {
    await other.end();
  }
}

test('given a folder that is no backup, when it is restored, then it is refused and no database is started', async (t) => {
  const place = await Installation.make(t);
  const { code, stderr } = await place.run(['restore', join(place.data_dir, 'nowhere')]);
  assert.equal(code, 1);
  assert.match(stderr, /^folio: \S+nowhere is no backup, [^\n]+: it has no manifest\.json\.\n$/);
  assert.equal(place.databasePid(), undefined);
  assert.equal(existsSync(place.data_dir), false);
});

test('given a data folder that cannot be made, when the database is moved, then it is refused in a sentence about that folder', async (t) => {
  const place = await Installation.make(t);
  const file = join(mkdtempSync(join(tmpdir(), 'folio-move-')), 'a-file');
  t.after(() => rmSync(join(file, '..'), { recursive: true, force: true }));
  writeFileSync(file, '');
  const away = 'postgres://nobody@127.0.0.1:1/none';
  const settings = { ...secret, FOLIO_DATA_DIR: join(file, 'data'), DATABASE_URL: away };
  const { code, stderr } = await place.run(['move', '--to', away], settings);
  assert.equal(code, 1);
  assert.match(stderr, /^folio: The folder \S+a-file\/data\S+ cannot be used \(ENOTDIR[^\n]+\n$/);
});

/** To a database that is not there, and twice to one that is. */
async function moveThrice(place: Installation, url: string): Promise<Ended[]> {
  const [lost, ...others] = await place.runAll([
    ['move', '--to', url.replace('folio_moved', 'folio_nowhere')],
    ['move', '--to', url],
    ['move', '--to', url],
  ]);
  assert.equal(lost!.stderr, 'folio: The database named in --to does not exist: create it first.\n');
  return others;
}

/** Commands that write nothing: a folder that is not empty, unknown words. */
async function assertRefused(place: Installation, folder: string, backup: string): Promise<void> {
  const unfinished = mkdtempSync(join(folder, 'unfinished-'));
  mkdirSync(join(unfinished, 'tables'));
  const refused = await place.runAll([
    ['backup', backup],
    ['backup', unfinished],
    ['backup', join(place.data_dir, 'blobs', 'b')],
    ['backup', join(folder, 'b'), '--x'],
    ['move', '--to', 'x'],
  ]);
  assert.deepEqual(
    refused.map(({ code, stderr }) => [
      code,
      /finished backup|not finished|is within|--x|postgres:\/\//.test(stderr),
    ]),
    [
      [1, true],
      [1, true],
      [1, true],
      [2, true],
      [2, true],
    ],
  );
}

test('given a service that issues, when a backup is made', async (t) => {
  const { folder, place, service, keys, logged, pdf, paper } = await givenBackup(t);
  const [issued, before] = [new Map<string, string>(), new Map<string, string>()];
  let is_over = false;
  const issuing = keepIssuing(place.url, keys.live_key, issued, () => is_over);
  while (issued.size < 20) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const [id, number] of issued) before.set(id, number);
  const backup = join(folder, 'a');
  assert.match(assertDone(await place.run(['backup', backup])), /The secret key is not in it/);
  const during = issued.size;
  is_over = true;
  await issuing;
  assert.ok(during > before.size, 'invoices were issued meanwhile');
  const url = await makeOwnedDatabase('folio_moved');
  assert.match((await place.run(['move', '--to', url])).stderr, /The service runs, .* stop it first/);
  await stop(service);
  await place.keepDatabase();

  await assertRefused(place, folder, backup);

  await t.test('when it is restored elsewhere, then every row, file and chain is there', async (t) => {
    const empty = await Installation.make(t, secret);
    const faults = faultyCopies(backup);
    const answers = await empty.runAll(faults.map(([args]) => args));
    for (const [i, { code, stderr }] of answers.entries()) {
      assert.match(stderr, faults[i]![1]);
      assert.equal(code, faults[i]![0][1] ? 1 : 2);
    }
    assert.match((await empty.run(['restore', `${backup}-short`], rotated)).stderr, /is damaged/);
    const no_room = { FOLIO_BLOB_URL: pathToFileURL(join(backup, 'manifest.json', 'blobs')).href };
    const unkept = await empty.run(['restore', backup], no_room);
    assert.match(
      unkept.stderr,
      /^folio: The restore was not finished, [^\n]+ \(E[^\n]+, and run it again\.\n$/m,
    );
    const { place: second, told } = await restoreInTwo(t, empty, backup);
    assert.match(told, /Compare the last [^\n]* in a new series\.[\s\S]*4 of 4 companies are intact/);
    const again = join(folder, 'again');
    const [replaced, copied, whole] = await second.runAll([
      ['restore', backup],
      ['backup', again],
      ['restore', again],
    ]);
    assert.match(whole!.stderr, /exactly as many rows as this backup\. [^\n]+ run "folio migrate"/);
    assert.match(replaced!.stderr, /holds data already \(.*never replaces/);
    assertDone(copied!);
    const [first, restored] = [manifestOf(backup), manifestOf(again)];
    assert.ok(first.tables.length > 80 && first.blobs!.count > 0);
    const [there_was, there_is] = [contents(first), contents(restored)];
    const changed = Object.keys(there_was).filter((name) => there_is[name] !== there_was[name]);
    assert.deepEqual(
      changed,
      ['issuing_heads', 'verifactu_events'],
      'the log of events, which tells of the restore, and its head',
    );
    assert.deepEqual(restored.blobs, first.blobs);

    await second.start();
    const log = JSON.parse((await call(second, logged.test_key, '/v1/verifactu/events')).toString());
    assert.ok(
      log.data.some(({ type }: { type: string }) => type === '07'),
      JSON.stringify(log),
    );
    assert.ok((await call(second, keys.test_key, pdf)).equals(paper), 'the paper is the same');
    const there = await listInvoices(second.url, keys.live_key);
    const kept = new Map(there.map(({ id, number }) => [id, String(number)]));
    for (const [id, number] of before) assert.equal(kept.get(id), number);
    await assertAllKept(second.url, keys.live_key, kept);
    // The chain goes on.
    await call(second, keys.test_key, '/v1/invoices', {
      type: 'F2',
      lines: [{ description: 'Pan', unit_price: 2, tax_rate: 4 }],
      options: { issue: true },
    });
    assert.match(assertDone(await second.run(['verify', '--all'])), /^4 of 4 companies are intact/m);
  });

  await t.test(
    'when its database is moved to a server whose owner is no superuser, then all is there; that owner makes no backup',
    async () => {
      const written = await writeDuringMove(place, url);
      assert.match(written.stderr, /worked on the old database during the move, .* and move again\.$/m);
      assert.equal(written.code, 1);
      const left = await killMove(place, url);
      const [moved, twice] = await moveThrice(place, url);
      assert.equal(existsSync(left), false, 'what the killed move left is gone');
      assert.deepEqual(moveFolders(place), []);
      assert.match(
        assertDone(moved!),
        /6 of 6 companies are intact[\s\S]*Set DATABASE_URL to that address and start/,
      );
      assert.match(twice!.stderr, /holds data already/);
      const at = { DATABASE_URL: url };
      const refused = await place.run(['backup', join(folder, 'c')], at);
      assert.match(refused.stderr, /let DATABASE_MIGRATION_URL name a superuser or a role with BYPASSRLS/);
      await place.start({ env: at });
      assert.ok((await call(place, keys.test_key, pdf)).equals(paper), 'its files stayed where they were');
    },
  );
});

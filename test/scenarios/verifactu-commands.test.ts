import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { type Ended, Installation, type Keys } from '../support/installation.ts';

async function call(place: Installation, key: string, method: 'POST' | 'PUT', path: string, body: object) {
  const res = await request(`${place.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await res.body.text();
  assert.ok(res.statusCode < 300, text);
  return JSON.parse(text).data;
}

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Madrid' }).format(new Date());

/** A backup and an export are folders, each with a manifest of the same name. */
async function assertToldApart(
  place: Installation,
  elsewhere: Installation,
  { folder, backup }: { folder: string; backup: string },
): Promise<void> {
  assert.equal((await place.run(['backup', backup])).code, 0);
  const [taken, other] = (await elsewhere.runAll([
    ['verify', '--export', backup],
    ['restore', folder],
  ])) as [Ended, Ended];
  assert.equal(taken.stdout, '');
  assert.match(taken.stderr, /^folio: \S+ is a backup and no export of records: "folio restore" [^\n]+\n$/);
  assert.match(other.stderr, /^folio: \S+ is an export of records and no backup: [^\n]+\n$/);
  assert.deepEqual([taken.code, other.code], [1, 1]);
  assert.equal(elsewhere.databasePid(), undefined);
}

test('given a company that records, when it is verified, exported and told of a backup, then each says what it did', async (t) => {
  const place = await Installation.makeMigrated(t);
  await place.start();
  const made = await place.run(['company', 'create', '--name', 'Acme SL', '--tax-id', 'B12345674', '--json']);
  const keys = JSON.parse(made.stdout) as Keys & { sandbox_company_id: string; test_key: string };
  const company = keys.sandbox_company_id;
  await call(place, keys.test_key, 'PUT', '/v1/verifactu/settings', { enabled: true });
  const line = { description: 'Pan', quantity: 1, unit_price: 2, tax_rate: 4 };
  // A midnight may come meanwhile.
  const first_day = today();
  for (let i = 0; i < 2; i++)
    await call(place, keys.test_key, 'POST', '/v1/invoices', {
      type: 'F2',
      lines: [line],
      options: { register_verifactu: true },
    });

  const folder = mkdtempSync(join(tmpdir(), 'folio-export-'));
  const backup = `${folder}-backup`;
  t.after(() => {
    for (const made of [folder, backup]) rmSync(made, { recursive: true, force: true });
  });
  const out = ['--company', company, '--from', first_day, '--to', today(), '--out', folder];
  const answers = await place.runAll([
    ['verify', '--company', company],
    ['verify', '--company', company, '--json'],
    ['verifactu', 'export', ...out, '--json'],
    ['verifactu', 'export', ...out],
    ['verifactu', 'restored', '--company', company],
    ['verifactu', 'restored', '--all', '--json'],
    ['verify', '--company', randomUUID()],
    ['verifactu', 'export', ...out.slice(0, -1), join(folder, 'manifest.json')],
    ['verify', '--company', company, '--from', '3'],
  ]);
  const [verified, told, exported, again, restored, all, nobody, file, beyond] = answers as [
    Ended,
    Ended,
    Ended,
    Ended,
    Ended,
    Ended,
    Ended,
    Ended,
    Ended,
  ];
  assert.deepEqual([verified.code, verified.stderr], [0, '']);
  assert.match(verified.stdout, /^records +2$/m);
  assert.match(verified.stdout, /^Intact\.$/m);
  assert.equal(JSON.parse(told.stdout).fault_count, 0);

  assert.deepEqual([exported.code, exported.stderr], [0, '']);
  const { records, manifest_sha256 } = JSON.parse(exported.stdout);
  assert.equal(records, 2);
  assert.deepEqual(
    [again.code, again.stderr],
    [1, `folio: ${folder} is not empty: it holds a finished export, so name another one.\n`],
  );

  assert.equal(restored.code, 1);
  assert.match(restored.stderr, /is not in no-verifactu mode/);
  assert.deepEqual([all.code, all.stdout], [0, '{"logs_told":0}\n']);
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /^folio: There is no company [^\n]+\n$/);
  assert.deepEqual(
    [beyond.code, beyond.stdout, beyond.stderr],
    [1, '', 'folio: The chain ends at position 2: there is nothing to check from 3 on.\n'],
  );
  assert.equal(file.code, 1);
  assert.match(file.stderr, /^folio: The folder \S+manifest\.json cannot be used \(EEXIST[^\n]+\n$/);

  // The check of an export needs no database.
  const elsewhere = await Installation.make(t);
  const [offline, nowhere] = (await elsewhere.runAll([
    ['verify', '--export', folder, '--json'],
    ['verify', '--export', join(folder, 'nowhere')],
  ])) as [Ended, Ended];
  assert.deepEqual([offline.code, offline.stderr], [0, '']);
  assert.equal(JSON.parse(offline.stdout).manifest_sha256, manifest_sha256);
  assert.equal(elsewhere.databasePid(), undefined);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /^folio: \S+nowhere is no export, [^\n]+: it has no manifest\.json\.\n$/);
  await assertToldApart(place, elsewhere, { folder, backup });
  writeFileSync(join(folder, 'LEEME.txt'), 'otra cosa');
  const harmed = await elsewhere.run(['verify', '--export', folder]);
  assert.equal(harmed.code, 1);
  assert.match(harmed.stdout, /^file_changed {2}LEEME\.txt {2}Su SHA-256 no es el del manifiesto\.$/m);
  assert.match(harmed.stdout, /^Not intact: 1 fault\.$/m);
});

test('given commands used wrongly, when they are run, then each is refused with one sentence', async (t) => {
  const place = await Installation.make(t);
  const id = randomUUID();
  const refusals: readonly (readonly [args: string[], sentence: RegExp])[] = [
    [['verify'], /Say one of --company, --export and --all\./],
    [['verify', '--company', 'acme'], /--company must be an id/],
    [['verify', '--company', id, '--from', '0'], /--from must be a position/],
    [['verify', '--company', id, '--from', '5', '--to', '2'], /--to must not be before --from\./],
    [['verify', '--all', '--from', '5'], /--from and --to go with --company\./],
    [['verify', '--export', 'x', '--to', '5'], /--from and --to go with --company\./],
    [['verifactu', 'export', '--company', id], /Missing --from, --to, --out\./],
    [
      ['verifactu', 'export', '--company', id, '--from', '2026-02-30', '--to', '2026-03-01', '--out', 'x'],
      /--from must be a day/,
    ],
    [
      ['verifactu', 'export', '--company', id, '--from', '2026-03-02', '--to', '2026-03-01', '--out', 'x'],
      /--to must not be before --from\./,
    ],
    [['verifactu', 'restored'], /Say one of --company and --all\./],
    [['verifactu', 'restored', '--company', id, '--all'], /Say one of --company and --all\./],
  ];
  const results = await place.runAll(refusals.map(([args]) => args));
  for (const [i, { code, stdout, stderr }] of results.entries()) {
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, refusals[i]![1]);
  }
  assert.equal(place.databasePid(), undefined);
});

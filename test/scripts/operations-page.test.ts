/** What docs/operations.md tells people to type: commands, services and settings that exist, and SQL that runs. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../src/main/commands.ts';
import { fileOf } from '../../src/main/environment.ts';
import { commandVariables, secretNames, settings } from '../../src/main/config.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { jobHandlers } from '../../src/modules/jobs.ts';
import { companyDailyKind, dueKind } from '../../src/platform/jobs.ts';
import { onOwnDatabase } from '../harness.ts';
import { readCompose } from '../support/compose-file.ts';
import { projectRoot } from '../support/installation.ts';

const startApp = onOwnDatabase();

const page = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8');
const blocks = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, kind, text = '']) => ({ kind, text }));
const prose = page.replace(/^```.*?^```$/gms, '');
const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
const typed = [
  ...blocks.filter(({ kind }) => kind === '').flatMap(({ text }) => text.split('\n')),
  ...inline,
];

test('given the commands of the page, then they exist, with their options', () => {
  const told = typed
    .filter((line) => /^folio (?!COMMAND)/.test(line))
    .map((line) => line.split(' ').slice(1));
  assert.ok(told.length >= 8);
  for (const words of told) {
    const command = commands.find((known) => known.words.every((word, i) => words[i] === word));
    assert.ok(command, words.join(' '));
    for (const option of words.filter((word) => word.startsWith('--')))
      assert.ok(option.slice(2).replaceAll('-', '_') in command.options, `${words.join(' ')}: ${option}`);
  }
});

test('given services, settings and addresses of the page, then they exist', () => {
  const { services } = readCompose({ FOLIO_PUBLIC_URL: 'http://x' });
  const named = typed.flatMap((line) => [
    ...[...(/docker compose (?:exec|logs|cp|run --rm)(?: -T)? (\w+)/.exec(line)?.slice(1) ?? [])],
  ]);
  assert.ok(named.length >= 4);
  for (const name of named) assert.ok(name in services, name);
  const known = [...Object.keys({ ...settings, ...commandVariables }), ...secretNames.map(fileOf)];
  for (const [name] of page.matchAll(/\b(?:FOLIO|DATABASE)_[A-Z_]+\b/g))
    assert.ok(known.includes(name), name);
  for (const [, method, path = ''] of page.matchAll(/`(GET|POST|PUT) (\/v1\/[^`?]*)/g)) {
    const plain = path.replace(/\{(\w+)\}/g, ':$1');
    assert.ok(
      catalog.some((operation) => operation.method === method && operation.path === plain),
      `${method} ${path}`,
    );
  }
});

test('given the commands that restore, then they wait for the database, and are done whole or not at all', () => {
  const lines = typed.filter((line) => /^docker compose (up|exec).* (postgres|pg_restore)\b/.test(line));
  const [started] = lines.filter((line) => line.includes(' up '));
  const [restored] = lines.filter((line) => line.includes(' pg_restore '));
  assert.match(started!, / --wait /);
  assert.match(restored!, / --exit-on-error --single-transaction /);
});

test('given what the page says that one sees, then the service and its alerts say it', () => {
  const source = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(projectRoot, 'src', file), 'utf8'))
    .join('');
  // An asterisk in a block of YAML is an alias.
  const seen = [...prose.matchAll(/(?<!\*)\*([a-zA-Z][^*]+)\*(?!\*)/g)].map(([, words = '']) => words);
  assert.ok(seen.length >= 5);
  for (const words of seen) assert.ok(source.includes(words), words);
  const alerts = readFileSync(join(projectRoot, 'docs/monitoring/alerts.yml'), 'utf8');
  for (const [name] of page.matchAll(/\bFolio[A-Z]\w+/g))
    assert.ok(alerts.includes(`alert: ${name}\n`), name);
  const kinds = [...page.matchAll(/kind="([^"]+)"/g)].map(([, kind]) => kind);
  const known = jobHandlers.map(({ kind }) => dueKind(kind));
  assert.equal(kinds.length, 2);
  for (const kind of kinds) assert.ok(known.includes(kind!), kind);
});

test('given the statements of the page, when a superuser asks them, then they answer, and the service owns nothing', async (t) => {
  const app = await startApp(t);
  await app.given.company();
  const statements = blocks.filter(({ kind }) => kind === 'sql').map(({ text }) => text);
  assert.equal(statements.length, 7);
  const [rights = '', ...others] = statements;
  const roles = await app.sql.unsafe(rights);
  assert.ok(roles.length >= 1);
  for (const role of roles)
    assert.deepEqual([role.rolsuper, role.rolbypassrls, Number(role.tables_owned)], [false, false, 0]);
  for (const statement of others) await app.sql.unsafe(statement);
});

test('given work that was planned while the clock was years ahead, when the statement of the page is asked, then it is due', async (t) => {
  const app = await startApp(t);
  const { company_id } = await app.given.company();
  const mine = app.sql`company_id = ${company_id}`;
  await app.sql`update due_work set due_at = due_at + interval '8 years', lease_until = now() + interval '8 years' where ${mine}`;
  await app.sql`update jobs set run_at = run_at + interval '8 years' where ${mine}`;
  const untouched = await app.sql`
    insert into due_work (company_id, id, kind, due_at)
    values (${company_id}, gen_random_uuid(), 'job:recurring_invoice.run', now() + interval '1 year') returning id, due_at`;

  const [statement] = blocks.filter(({ text }) => text.startsWith('with ahead'));
  await app.sql.unsafe(statement!.text);

  const found = await app.sql`
    select d.due_at <= now() as is_due, d.lease_until <= now() as is_free, j.run_at <= now() + interval '1 second' as runs
      from due_work d join jobs j using (company_id, id) where d.company_id = ${company_id}`;
  assert.ok(found.length >= 1);
  for (const row of found) assert.deepEqual({ ...row }, { is_due: true, is_free: true, runs: true });
  const [kept] = await app.sql`select id, due_at from due_work where id = ${untouched[0]!.id}`;
  assert.deepEqual({ ...kept }, { ...untouched[0] });
});

test('given a job that failed for good, when the statements of the page are asked, then it is shown, and runs again', async (t) => {
  const app = await startApp(t);
  const { company_id } = await app.given.company();
  const asked = (begins: string) => blocks.find(({ text }) => text.startsWith(begins))!.text;
  const [job] = await app.sql<{ id: string }[]>`
    update jobs set status = 'failed_permanently', attempts = 6, last_error = 'the store is full', failed_at = now()
     where company_id = ${company_id} and kind = ${companyDailyKind} returning id`;
  const { id } = job!;
  await app.sql`delete from due_work where company_id = ${company_id} and id = ${id}`;

  const shown = await app.sql.unsafe(asked('select company_id, id, kind, failed_at'));
  const [found] = shown.filter((row) => row.id === id);
  assert.equal(found?.last_error, 'the store is full');

  await app.sql.unsafe(asked('with again'));
  app.clock.advance(60_000);
  await app.service.worker.runDue(company_id);
  const [after] = await app.sql`
    select j.status, j.attempts, j.last_error, d.due_at > now() as is_planned
      from jobs j join due_work d using (company_id, id) where j.company_id = ${company_id} and j.id = ${id}`;
  assert.deepEqual({ ...after }, { status: 'queued', attempts: 0, last_error: null, is_planned: true });
});

import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { StartError } from '../start-error.ts';
import { forkMember } from './member.ts';
import { type Order, protocol } from './messages.ts';

const order: Order = {
  role: 'api',
  listens: true,
  processes: 1,
  place: null,
  kept: {
    PORT: 0,
    HOST: '127.0.0.1',
    DATABASE_URL: null,
    DATABASE_MIGRATION_URL: null,
    DATABASE_DIRECT_URL: null,
    FOLIO_DATA_DIR: '.',
    FOLIO_METRICS_HOST: null,
    FOLIO_METRICS_PORT: null,
    FOLIO_DOCS_HOST: null,
    FOLIO_DOCS_PORT: null,
  },
  has_database: true,
  is_complete: true,
  url: '',
};

/** A process that runs this text in place of the service. */
function forkProgram(t: TestContext, text: string) {
  const dir = mkdtempSync(join(tmpdir(), 'folio-member-'));
  const exec = join(dir, 'program.cjs');
  writeFileSync(exec, text);
  cluster.setupPrimary({ exec });
  const said: string[] = [];
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const member = forkMember({ role: 'api', say: (line) => said.push(line) });
  t.after(async () => {
    member.kill();
    await member.exited;
    rmSync(dir, { recursive: true });
  });
  return { member, said };
}

test('given a process that never loads the program, when it starts, then that is told after half a minute, and it is killed after a whole one', async (t) => {
  const { member, said } = forkProgram(t, 'setInterval(() => undefined, 1000);');
  const started = member.start(order);
  t.mock.timers.tick(29_999);
  assert.deepEqual(said, []);
  t.mock.timers.tick(1);
  assert.deepEqual(said, [`The process ${member.pid} is still starting: it loads the program.`]);
  t.mock.timers.tick(30_000);
  const sentence = `The process ${member.pid} did not load the program within 60 s.`;
  await assert.rejects(started, new StartError(sentence));
  assert.equal(await member.exited, 'SIGKILL');
});

test('given a process that migrates for long, when it starts, then that is told each minute, and it is waited for', async (t) => {
  const { member, said } = forkProgram(
    t,
    `process.on('message', ({ is }) => {
       if (is === 'start') process.send({ is: 'values', question: 0, values: [{ name: 'began' }] });
       else process.send({ is: 'ready', url: 'http://127.0.0.1:1' });
     });
     process.send({ is: 'loaded', protocol: ${protocol} });`,
  );
  const started = member.start(order);
  while (member.lastMetrics().length === 0) await turn();
  for (const ms of [30_000, 60_000, 60_000]) t.mock.timers.tick(ms);
  const line = `The process ${member.pid} is still starting: it brings the database up to date and opens the port.`;
  assert.deepEqual(said, [line, line, line]);
  member.tell({ is: 'complete', url: '', introduces: false });
  assert.equal(await started, 'http://127.0.0.1:1');
  t.mock.timers.tick(60_000);
  assert.equal(said.length, 3);
});

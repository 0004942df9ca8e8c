import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { type App, startApp } from '../../test/harness.ts';
import { newId } from '../kernel/uuid7.ts';
import type { Message } from '../modules/verifactu/index.ts';
import { makeSandboxAuthority } from './sandbox-authority.ts';

const reported: unknown[] = [];
const threads: Worker[] = [];
const note = (thread: Worker) => void threads.push(thread);
process.addListener('worker', note);
after(() => process.removeListener('worker', note));
let opened: ReturnType<typeof makeSandboxAuthority> | undefined;
after(() => opened?.close());

/** One for all tests of the file: a thread takes half a second to start. */
async function sendTo({ db, clock }: App, company_id: string, records: readonly string[]) {
  opened ??= makeSandboxAuthority(db, clock, null, (error) => void reported.push(error));
  const authority = await opened.open();
  const message: Message = {
    environment: 'test',
    company_id,
    taxpayer: { name: 'Acme SL', tax_id: 'B12345674' },
    is_incident: false,
    ends_on: null,
    records,
  };
  return authority.send(message, (await authority.serviceIdentity('test'))!);
}

test('given a message of many large records, when the simulator judges it, then the thread of those who call hardly works', async (t) => {
  const app = await startApp(t);
  const { sandbox_company_id } = await app.given.company();
  await sendTo(app, sandbox_company_id, ['<x/>']);
  const record = `<sf:RegistroAlta>${'<sf:IDFactura><sf:NumSerieFactura>T-1</sf:NumSerieFactura></sf:IDFactura>'.repeat(60)}</sf:RegistroAlta>`;
  const [before, all_before] = [process.threadCpuUsage(), process.cpuUsage()];
  const result = await sendTo(app, sandbox_company_id, new Array<string>(500).fill(record));
  const [own, all] = [process.threadCpuUsage(before), process.cpuUsage(all_before)];
  assert.equal(result.kind, 'fault');
  const share = (own.user + own.system) / (all.user + all.system);
  assert.ok(share < 0.25, `${(100 * share).toFixed(0)} % of the processor's time was that of this thread`);
});

test('given a sandbox that is gone, when a message of it comes, then it has no answer, and the reason is told once', async (t) => {
  const app = await startApp(t);
  reported.length = 0;
  const result = await sendTo(app, newId(), ['<x/>']);
  assert.equal(result.kind, 'no_answer');
  assert.equal(reported.length, 1);
  assert.match(String(reported[0]), /company/i);
});

test('given services of one process, when their sandboxes send, then one thread serves them, and when it ends another does', async (t) => {
  const app = await startApp(t);
  const { sandbox_company_id } = await app.given.company();
  reported.length = 0;
  const send = () => sendTo(app, sandbox_company_id, ['<x/>']);
  await send();
  const other = makeSandboxAuthority(app.db, app.clock, null, () => undefined);
  await other.open();
  await other.close();
  assert.equal((await send()).kind, 'fault');
  assert.equal(threads.length, 1);
  const gone = once(threads[0]!, 'exit');
  await threads[0]!.terminate();
  await gone;
  const answers = [(await send()).kind, (await send()).kind];
  assert.deepEqual([answers[1], threads.length], ['fault', 2]);
  assert.match(String(reported[0]), /thread/);
});

/** What the sender sees and the authority stores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAuthority } from '../test/authority.ts';
import { alta, faultOf, linesOf, submission, valuesOf } from '../test/authority-messages.ts';
import { type Fault, memoryStore } from './index.ts';
import { NotXml, withDocument } from './xml-tree.ts';

const store = memoryStore();
const { simulator, client } = await startAuthority({ store });

const message = submission([alta('A1')]);
const kept = async (sandbox: string) =>
  (await store.list(sandbox, { period: '2026-03', after: null, limit: 10 })).length;
/** The same message again shows whether the first was stored. */
const again = async (sandbox: string) => linesOf((await client.post(message, { sandbox })).text);

/** So long that no busy machine needs it. */
const patient_ms = 60_000;

/** The connection ends without an answer; `code` is what the client sees. */
const lost: [fault: Fault, code: string | undefined, stored: boolean][] = [
  [{ kind: 'timeout_before_storing' }, 'UND_ERR_HEADERS_TIMEOUT', false],
  [{ kind: 'timeout_after_storing' }, 'UND_ERR_HEADERS_TIMEOUT', true],
  [{ kind: 'reset_before_storing' }, 'UND_ERR_SOCKET', false],
  [{ kind: 'reset_after_storing' }, 'UND_ERR_SOCKET', true],
  [{ kind: 'half_answer' }, 'UND_ERR_SOCKET', true],
];
for (const [fault, code, stored] of lost) {
  test(`${fault.kind}: no answer, ${stored ? 'kept' : 'nothing kept'}`, async () => {
    const sandbox = fault.kind;
    simulator.faults.next(sandbox, fault);
    const timeout = code === 'UND_ERR_HEADERS_TIMEOUT' ? 1000 : patient_ms;
    await assert.rejects(
      client.post(message, { sandbox, timeout }),
      (error: { code?: string; cause?: { code?: string } }) => {
        assert.ok([error.code, error.cause?.code].includes(code), `${error} ${error.code}`);
        return true;
      },
    );
    // The sender may have waited in vain before the message was read.
    while (simulator.log.at(-1)?.outcome !== fault.kind) await new Promise(setImmediate);
    assert.equal(await kept(sandbox), stored ? 1 : 0);
    assert.deepEqual(await again(sandbox), [stored ? 'Incorrecto 3000' : 'Correcto']);
  });
}

for (const [fault, status, expected] of [
  [{ kind: 'soap_fault_client', code: 4141 }, 500, 'Client 4141'],
  [{ kind: 'soap_fault_server', code: 3501 }, 500, 'Server 3501'],
  [{ kind: 'unavailable' }, 503, undefined],
] as const) {
  test(`${fault.kind}: ${status}, nothing kept`, async () => {
    const sandbox = fault.kind;
    simulator.faults.next(sandbox, fault);
    const answer = await client.post(message, { sandbox });
    assert.equal(answer.status, status);
    assert.equal(faultOf(answer.text), expected);
    assert.equal(await kept(sandbox), 0);
    assert.deepEqual(await again(sandbox), ['Correcto']);
  });
}

test('malformed_answer: 200 and no XML, kept', async () => {
  const sandbox = 'malformed';
  simulator.faults.next(sandbox, { kind: 'malformed_answer' });
  const { status, text } = await client.post(message, { sandbox });
  assert.equal(status, 200);
  assert.throws(() => withDocument(text, () => undefined), NotXml);
  assert.deepEqual(await again(sandbox), ['Incorrecto 3000']);
});

test('slow_answer: the answer comes after the wait, and a second message does not wait for it', async () => {
  const sandbox = 'slow';
  simulator.faults.next(sandbox, { kind: 'slow_answer', milliseconds: 300 });
  const begun = performance.now();
  const slow = client.post(message, { sandbox });
  while (simulator.log.at(-1)?.company_id !== sandbox) await new Promise(setImmediate);
  assert.deepEqual(await again(sandbox), ['Incorrecto 3000']);
  assert.deepEqual(linesOf((await slow).text), ['Correcto']);
  assert.ok(performance.now() - begun > 290, 'it was held back');
});

test('long_wait: accepted, and the next message is wanted later', async () => {
  simulator.faults.next('wait', { kind: 'long_wait', seconds: 9999 });
  const { text } = await client.post(message, { sandbox: 'wait' });
  assert.deepEqual([...linesOf(text), ...valuesOf(text, 'TiempoEsperaEnvio')], ['Correcto', '9999']);
});

test('reject_record: the first that would have entered is refused, the others enter', async () => {
  simulator.faults.next('reject', { kind: 'reject_record', code: 1100 });
  const records = [alta('A1', { RechazoPrevio: 'S' }), alta('A2'), alta('A3')];
  const { text } = await client.post(submission(records), { sandbox: 'reject' });
  assert.deepEqual(linesOf(text), ['Incorrecto 1161', 'Incorrecto 1100', 'Correcto']);
});

test('faults are taken one by one, by the messages of their company alone', async () => {
  const { faults } = simulator;
  faults.next('queue', { kind: 'unavailable' });
  faults.next('queue', { kind: 'soap_fault_server', code: 4110 });
  const status = async (sandbox: string) => (await client.post(message, { sandbox })).status;
  assert.deepEqual([await status('other'), faults.waiting('queue')], [200, 2]);
  assert.deepEqual([await status('queue'), faults.waiting('queue')], [503, 1]);
  assert.deepEqual([await status('queue'), faults.waiting('queue')], [500, 0]);
  assert.equal(await status('queue'), 200);
  faults.next('queue', { kind: 'unavailable' });
  faults.clear('queue');
  assert.equal(await status('queue'), 200);
});

test('a message that is refused anyway leaves the fault for the next one', async () => {
  simulator.faults.next('refused', { kind: 'unavailable' });
  await client.post('no XML', { sandbox: 'refused' });
  assert.equal(simulator.faults.waiting('refused'), 1);
});

test('a connection that is held is cut when the simulator stops', async (t) => {
  const { startSimulator } = await import('./index.ts');
  const { authorityClient, TAXPAYER } = await import('../test/authority-messages.ts');
  const other = await startSimulator({});
  const sender = authorityClient(other, await other.clientIdentity(TAXPAYER, 'Empresa', 'seal'));
  t.after(() => sender.close());
  other.faults.next('held', { kind: 'timeout_before_storing' });
  const held = assert.rejects(sender.post(message, { sandbox: 'held' }));
  while (other.log.length === 0) await new Promise(setImmediate);
  await other.stop();
  await held;
});

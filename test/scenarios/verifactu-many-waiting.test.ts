import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ports } from '../../src/kernel/ports.ts';
import type { Message, SendResult } from '../../src/modules/verifactu/index.ts';
import { onOwnDatabase } from '../harness.ts';
import { acceptedLine } from '../support/accepted-line.ts';
import { blockOf, givenSendingCompany, issue } from '../support/sending-companies.ts';
import { until } from '../support/worker-place.ts';

const startApp = onOwnDatabase();

const minute = 60_000;
const hour = 60 * minute;

/** `onMessage` may hold it. */
function acceptingPorts(onMessage: (message: Message) => Promise<unknown>): (ports: Ports) => Ports {
  const send = async (message: Message): Promise<SendResult> => {
    await onMessage(message);
    return { kind: 'answer', csv: 'A-1', wait_seconds: 0, lines: message.records.map(acceptedLine), raw: '' };
  };
  return (ports) => ({ ...ports, authority: { ...ports.authority, send } });
}

test('given a company with 10,000 records that wait, when another has one, then that does not wait for them', async (t) => {
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  let heavy = '';
  const sizes: number[] = [];
  const app = await startApp(t, {
    fresh: true,
    wrap_ports: acceptingPorts(async ({ company_id, records }) => {
      if (company_id !== heavy) return;
      sizes.push(records.length);
      await free;
    }),
  });
  const [big, small] = [await givenSendingCompany(app), await givenSendingCompany(app)];
  heavy = big.sandbox_company_id;
  await issue(app, big);
  // What PostgreSQL knows: a company has one record.
  await app.sql`analyze verifactu_records, verifactu_sendings`;
  // Adds 9,999 copies of the record. This authority reads only their references.
  await app.sql`
    with made as (
      insert into verifactu_records
      select copy.*
        from verifactu_records r, (select gen_random_uuid() as id, n from generate_series(2, 10000) n) m,
             json_populate_record(r, json_build_object('id', m.id, 'position', m.n, 'xml', replace(r.xml, r.id::text, m.id::text))) copy
       where r.company_id = ${heavy}
      returning company_id, id, position)
    insert into verifactu_sendings (company_id, record_id, position, status, created_at)
    select company_id, id, position, 'pending', now() from made`;
  const [id] = await issue(app, small);
  app.service.worker.start();
  await until(async () => (await blockOf(app, small, id)).status === 'accepted');
  assert.ok(sizes.length <= 1, 'the first message of the other is still out');
  release();
  await until(() => sizes.length >= 3);
  assert.deepEqual(new Set(sizes), new Set([1000]), 'its own go on, a thousand at a time');
});

test("given records that the authority's schemas check, when a message is made of them, then others have their turns meanwhile", async (t) => {
  const turns: number[] = [];
  let turn = 0;
  const count = () => {
    turn += 1;
    counting = setImmediate(count).unref();
  };
  let counting = setImmediate(count).unref();
  t.after(() => clearImmediate(counting));
  const app = await startApp(t, {
    fresh: true,
    wrap_ports: (made) => {
      const ports = acceptingPorts(async () => undefined)(made);
      const findOfficialFaults = () => {
        turns.push(turn);
        // As long as a record with a hundred invoices takes on a slow machine.
        for (const until = performance.now() + 3; performance.now() < until; );
        return [];
      };
      return { ...ports, records: { ...ports.records, findOfficialFaults } };
    },
  });
  const company = await givenSendingCompany(app);
  for (let i = 0; i < 12; i++) await issue(app, company);
  await app.service.worker.runDue(company.sandbox_company_id);
  assert.equal(turns.length, 12);
  // Two records are a turn, and who gives way first goes on at once where nobody waits.
  assert.ok(new Set(turns).size >= 4, `12 records were checked in ${new Set(turns).size} turns`);
});

test('given a company whose authority is missing for a day, when there is one, then all that waited is sent', async (t) => {
  let is_configured = false;
  const sent: Message[] = [];
  const app = await startApp(t, {
    fresh: true,
    wrap_ports: (made) => {
      const ports = acceptingPorts(async (message) => sent.push(message))(made);
      const { send } = ports.authority;
      return {
        ...ports,
        authority: {
          ...ports.authority,
          isConfigured: () => is_configured,
          // The first message gets no answer, but the earlier obstacle is gone.
          send: async (message, identity) => {
            const result = await send(message, identity);
            return sent.length === 1 ? { kind: 'no_answer', message: 'nobody' } : result;
          },
        },
      };
    },
  });
  const company = await givenSendingCompany(app);
  const key = company.test_key;
  const [first] = await issue(app, company);
  const runs = () => app.service.worker.runDue(company.sandbox_company_id);
  assert.ok((await runs()) > 0);
  for (let n = 0; n < 24; n++) {
    app.clock.advance(hour);
    await runs();
  }
  const config = async () => (await app.get('/v1/verifactu/config', { key })).body.data;
  assert.equal((await config()).block_reason, 'authority_not_configured');
  assert.equal((await blockOf(app, company, first)).status, 'pending');
  // Issuing does not wake the sender, which would find the same.
  await issue(app, company);
  assert.equal(await runs(), 0);
  assert.equal(sent.length, 0);
  is_configured = true;
  app.clock.advance(hour);
  await runs();
  assert.deepEqual(
    sent.map(({ records }) => records.length),
    [2],
  );
  assert.equal((await config()).block_reason, null);
  app.clock.advance(minute);
  await runs();
  assert.deepEqual(sent[1]?.records, sent[0]?.records);
  assert.equal((await blockOf(app, company, first)).status, 'accepted');
});

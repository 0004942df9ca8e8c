/** The floor of the time to a delivery: hear a NOTIFY, read the row, send it. Stores nothing. */
import { Agent, request } from 'undici';
import { connect } from '../src/platform/db.ts';
import { deliveryHeaders } from '../src/modules/webhooks/index.ts';
import { answerParent } from './talk.ts';

const { BENCH_URL: url = '', BENCH_SECRET: secret = '' } = process.env;
const sql = connect({
  target: JSON.parse(process.env.BENCH_TARGET ?? '{}') as object,
  pool_size: 4,
  role: null,
});
const dispatcher = new Agent({ connections: 8, pipelining: 1 });

async function send(id: string): Promise<void> {
  const [row] = await sql<{ body: string }[]>`select body from bench_messages where id = ${id}`;
  const { body } = row!;
  const headers = deliveryHeaders({
    delivery_id: id,
    event_id: id,
    event_type: 'invoice.created',
    body,
    sent_at: new Date(),
    secrets: [secret],
  });
  const answer = await request(url, { method: 'POST', headers, body, dispatcher });
  await answer.body.text();
}

await sql.listen('bench_messages', (id) => void send(id));
answerParent({}, async () => null);

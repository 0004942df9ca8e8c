import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type App, startApp } from '../../test/harness.ts';
import { until } from '../../test/support/worker-place.ts';
import { newId } from '../kernel/uuid7.ts';

const dayMs = 86_400_000;

/** One row of each part of the service that removes what is over. */
async function givenRows(app: App, over_at: Date) {
  const [rate, session, url] = [newId(), newId(), `https://example.com/${newId()}`];
  await app.sql`
    insert into rate_windows (key_id, rate_class, window_at, used) values (${rate}, 'read', ${over_at}, 1)`;
  await app.sql`
    insert into sessions (token_hash, id, user_id, amr, created_at, last_seen_at, confirmed_at, expires_at, ip)
    values (${randomBytes(32)}, ${session}, ${newId()}, '{pwd}', ${over_at}, ${over_at}, ${over_at}, ${over_at}, '::1')`;
  await app.sql`insert into oauth_documents (url, expires_at) values (${url}, ${over_at})`;
  return async () => {
    const kept = await app.sql<{ kind: string }[]>`
      select 'rate' kind from rate_windows where key_id = ${rate}
      union all select 'session' from sessions where id = ${session}
      union all select 'document' from oauth_documents where url = ${url}
      order by kind`;
    return kept.map(({ kind }) => kind);
  };
}

test('given rows that are over, when a service runs, then they go without a call; others stay', async (t) => {
  const app = await startApp(t, { purge_every_ms: 5 });
  const now = app.clock.now().getTime();
  const readLater = await givenRows(app, new Date(now + dayMs));
  const readOver = await givenRows(app, new Date(now - dayMs));
  await until(async () => (await readOver()).length === 0);
  assert.deepEqual(await readLater(), ['document', 'rate', 'session']);
  app.clock.advance(2 * dayMs);
  await until(async () => (await readLater()).length === 0);
});

test('given a removal that fails, then the log tells, and the next one works', async (t) => {
  const app = await startApp(t, { purge_every_ms: 5 });
  const read = await givenRows(app, new Date(app.clock.now().getTime() - dayMs));
  // PostgreSQL reads no year of six digits.
  app.clock.set('+200000-01-01T00:00:00Z');
  await until(() => app.log_lines.some((line) => line.includes('what is over was not removed')));
  app.clock.set(new Date());
  await until(async () => (await read()).length === 0);
});

/** Time filters of every list take days of the company, in both time zones of Spain and at both changes of the clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../src/kernel/operation.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { fills, pathOf } from '../support/list-fills.ts';
import { recordLists } from '../support/lists.ts';

type Item = { id: string; updated_at?: string };

/** The clocks go forward on the 29th of March, back on the 25th of October. */
const madrid: [instant: string, day: string][] = [
  ['2026-03-28T22:59:59.999Z', '2026-03-28'],
  ['2026-03-28T23:00:00.000Z', '2026-03-29'],
  ['2026-03-29T21:59:59.999Z', '2026-03-29'],
  ['2026-03-29T22:00:00.000Z', '2026-03-30'],
  ['2026-10-24T21:59:59.999Z', '2026-10-24'],
  ['2026-10-24T22:00:00.000Z', '2026-10-25'],
  ['2026-10-25T22:59:59.999Z', '2026-10-25'],
  ['2026-10-25T23:00:00.000Z', '2026-10-26'],
];
const hourMs = 3_600_000;
const later = (instant: string) => new Date(Date.parse(instant) + hourMs).toISOString();
const zones: [zone: string, days: [instant: string, day: string][]][] = [
  ['Europe/Madrid', madrid],
  ['Atlantic/Canary', madrid.map(([instant, day]) => [later(instant), day])],
];

const asked = ['2026-03-29', '2026-10-25'];
const bounds = {
  gte: (day: string, limit: string) => day >= limit,
  lte: (day: string, limit: string) => day <= limit,
  gt: (day: string, limit: string) => day > limit,
  lt: (day: string, limit: string) => day < limit,
};

/** Such as `created`, of every filter that takes an instant. */
function timesOf({ query }: Operation): string[] {
  const filters = Object.entries((query?.properties ?? {}) as Record<string, { format?: string }>);
  const names = filters.flatMap(([name, { format }]) =>
    format === 'moment' ? [name.replace(/\[.*/, '')] : [],
  );
  // When it will run is no time of what was done.
  return [...new Set(names)].filter((name) => name !== 'next_run_at');
}

/** The log of requests keeps real time. */
const log = (app: App, { company_id }: TestCompany) => app.sql`
  insert into request_logs (company_id, id, request_id, method, path, status, duration_ms, api_version, created_at)
  values (${company_id}, ${newId()}, ${newId()}, 'GET', '/v1/clients', 200, 1, '2026-10-01', ${app.clock.now()})`;

for (const [zone, days] of zones) {
  test(`given ${zone} and changes around midnight, when any list is filtered by days, then they are days of the company`, async (t) => {
    const app = await startApp(t);
    const start = '2026-03-01T10:00:00.000Z';
    app.clock.set(start);
    const company = await app.given.company();
    const key = company.live_key;
    const changed = await app.put('/v1/account/company', { key, body: { time_zone: zone } });
    assert.equal(changed.status, 200, changed.text);

    /** @param until a page with such an item is the last */
    async function read(
      { path }: Operation,
      asked: Record<string, string> = {},
      until: (item: Item) => boolean = () => false,
    ): Promise<Item[]> {
      const items: Item[] = [];
      for (let query: Record<string, string> = { limit: '100', ...asked }; ; ) {
        const { status, body, text } = await app.get(await pathOf(app, company, path), { key, query });
        assert.equal(status, 200, text);
        items.push(...body.data);
        if (!body.has_more || body.data.some(until)) return items;
        query = { ...query, starting_after: body.next_cursor };
      }
    }
    /** When each item was first seen, by the clock. */
    const made = new Map<string, string>();
    async function see(instant: string): Promise<void> {
      // The newest come first, so what follows one that was seen was seen too.
      const all = await Promise.all(
        recordLists.map((operation) => read(operation, {}, ({ id }) => made.has(id))),
      );
      for (const { id } of all.flat()) if (!made.has(id)) made.set(id, instant);
    }

    await see(start);
    for (const [i, [instant]] of days.entries()) {
      app.clock.set(instant);
      const filled = Object.entries(fills).map(([name, fill]) =>
        name === 'list_request_logs' ? log(app, company) : fill(app, company, i),
      );
      await Promise.all(filled);
      await see(instant);
    }
    const dayOf = new Map([[start, '2026-03-01'], ...days]);
    for (const operation of recordLists) {
      const all = await read(operation);
      for (const field of timesOf(operation)) {
        const times = all.map((item) => {
          const at = (field === 'updated' ? item.updated_at : undefined) ?? made.get(item.id)!;
          return [item.id, at] as const;
        });
        for (const [instant] of days)
          assert.ok(
            times.some(([, time]) => time === instant),
            `${operation.name} ${field} ${instant}`,
          );
        const holds = async (day: string, bound: string, fits: (day: string, limit: string) => boolean) => {
          const param = `${field}[${bound}]`;
          const ids = (await read(operation, { [param]: day })).map(({ id }) => id);
          const wanted = times.flatMap(([id, time]) => (fits(dayOf.get(time)!, day) ? [id] : []));
          assert.deepEqual(ids.toSorted(), wanted.toSorted(), `${operation.name} ${param}=${day}`);
        };
        await Promise.all(
          asked.flatMap((day) => Object.entries(bounds).map(([bound, fits]) => holds(day, bound, fits))),
        );
      }
    }
  });
}

/** The pool on a real PostgreSQL. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { until, WorkerPlace } from '../../test/support/worker-place.ts';
import type { Tx } from '../kernel/operation.ts';
import { newId } from '../kernel/uuid7.ts';
import {
  connect,
  ConnectionLost,
  connectionsOf,
  heldTable,
  isUnreachable,
  openDatabase,
  sqlState,
} from './db.ts';
import { makeDueHint } from './due-hint.ts';
import { commitWith } from './last-writes.ts';
import { anyText } from '../../test/support/any-text.ts';

const place = await WorkerPlace.make();
/** Three for one company. */
const db = place.open(6);
const company_id = await place.company();

function insert(tx: Tx, id = newId()) {
  return tx`insert into events (company_id, id, type, aggregate_id, sequence, api_version, livemode, data, created_at)
            values (${company_id}, ${id}, 'x', ${id}, 1, '2026-10-01', true, '{}', now())`.execute();
}

function insertDue(tx: Tx, id: string) {
  return tx`insert into due_work (company_id, id, kind, due_at) values (${company_id}, ${id}, 'x', now())`.execute();
}

async function isKept(id: string): Promise<boolean> {
  const rows = await place.sql`
    select id from events where id = ${id} union all select id from due_work where id = ${id}`;
  return rows.length > 0;
}

async function pidOf(tx: Tx): Promise<number> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row!.pid;
}

const kill = (pid: number) => place.sql`select pg_terminate_backend(${pid}, 5000)`;

/** The service may hear of a lost connection a moment after the test. */
async function hearOfLosses(): Promise<void> {
  const attempt = async () => {
    try {
      await Promise.all([1, 2, 3].map(() => db.transaction(company_id, (tx) => tx`select pg_sleep(0.01)`)));
      return true;
    } catch (error) {
      assert.ok(isUnreachable(error), String(error));
      return false;
    }
  };
  await until(attempt);
}

/** As many transactions at once as connections, each with its own company. */
async function assertWhole(): Promise<void> {
  await hearOfLosses();
  const companies = await Promise.all([place.company(), place.company(), place.company(), place.company()]);
  await Promise.all(
    companies.flatMap((id) =>
      [db.transaction, db.read].map((run) =>
        run(id, async (tx) => {
          const rows = await tx<{ company_id: string }[]>`select company_id from companies`;
          assert.deepEqual(
            rows.map((r) => r.company_id),
            [id],
          );
        }),
      ),
    ),
  );
}

test('given a file that is not there, then the database is not blamed; for a socket that is not there it is', async () => {
  const missing = join(tmpdir(), 'folio-nowhere', '.s.PGSQL.5432');
  const reading = await readFile(missing).catch((error: unknown) => error);
  const connecting = once(connectSocket(missing), 'connect').catch((error: unknown) => error);
  assert.equal((reading as { code: string }).code, 'ENOENT');
  assert.equal(isUnreachable(reading), false);
  assert.equal(((await connecting) as { code: string }).code, 'ENOENT');
  assert.equal(isUnreachable(await connecting), true);
});

test('a transaction keeps all or nothing', async () => {
  const [kept, left] = [newId(), newId()];
  await db.transaction(company_id, (tx) => insert(tx, kept));
  await assert.rejects(
    db.transaction(company_id, async (tx) => {
      await insert(tx, left);
      throw new Error('no');
    }),
    /no/,
  );
  assert.deepEqual([await isKept(kept), await isKept(left)], [true, false]);
});

test('a read writes nothing', async () => {
  const id = newId();
  await assert.rejects(
    db.read(company_id, (tx) => insert(tx, id)),
    { code: '25006' },
  );
  await assertWhole();
});

test('a statement that fails unseen keeps the transaction from committing', async () => {
  const id = newId();
  const careless = db.transaction(company_id, async (tx) => {
    await insert(tx, id);
    await tx`select 1 / 0`.catch(() => undefined);
  });
  await assert.rejects(careless, /rolled back/);
  assert.equal(await isKept(id), false);
});

test('last writes are committed without a wait for their answers', async () => {
  const id = newId();
  const work = db.transaction(company_id, async (tx) => {
    const written = insert(tx, id);
    // It is settled when somebody else sees what was committed.
    commitWith(
      tx,
      until(() => isKept(id)).then(() => written),
    );
    return 'answer';
  });
  assert.equal(await work, 'answer');
});

test('last writes that fail keep nothing, and tell why', async () => {
  const [kept, left, taken] = [newId(), newId(), newId()];
  await db.transaction(company_id, (tx) => insert(tx, taken));
  for (let i = 0; i < 10; i++) {
    const failing = db.transaction(company_id, async (tx) => {
      await insert(tx, left);
      commitWith(tx, Promise.all([insert(tx), insert(tx, taken), insert(tx)]));
    });
    await assert.rejects(failing, { code: '23505' });
    const translated = db.transaction(company_id, async (tx) => {
      const write = insert(tx, taken).catch(() => Promise.reject(new Error('taken')));
      commitWith(tx, write);
    });
    await assert.rejects(translated, /taken/);
  }
  assert.equal(await isKept(left), false);
  await db.transaction(company_id, async (tx) => commitWith(tx, insert(tx, kept)));
  assert.equal(await isKept(kept), true);
  await assertWhole();
});

test('what is sent after the last writes is refused', async () => {
  const id = newId();
  const late = db.transaction(company_id, async (tx) => {
    commitWith(
      tx,
      tx`select 1`.execute().then(() => insert(tx, id)),
    );
  });
  await assert.rejects(late, /is over/);
  assert.equal(await isKept(id), false);
  await assertWhole();
});

test('killed while the last writes are on their way: all or nothing is kept', async () => {
  await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const own = await place.company();
      const ids = [newId(), newId()];
      const work = db.transaction(own, async (tx) => {
        const pid = await pidOf(tx);
        const writes = ids.map(
          (id) =>
            tx`insert into events (company_id, id, type, aggregate_id, sequence, api_version, livemode, data, created_at)
               select ${own}, ${id}, 'x', ${id}, 1, '2026-10-01', true, '{}', now() from pg_sleep(${i % 3 === 0 ? 0.02 : 0})`,
        );
        commitWith(tx, Promise.all(writes));
        void kill(pid);
      });
      const error = await work.catch((e: unknown) => e);
      assert.ok(error === undefined || isUnreachable(error), String(error));
      const kept = await Promise.all(ids.map(isKept));
      assert.equal(kept[0], kept[1]);
      if (error === undefined) assert.equal(kept[0], true);
    }),
  );
  await assertWhole();
});

test('of a pipeline that fails, the cause is told, not what followed from it', async () => {
  const deep = async (tx: Tx) => {
    await Promise.all([tx`select 1 / 0`.execute()]);
  };
  for (let i = 0; i < 20; i++) {
    const work = db.transaction(company_id, (tx) =>
      Promise.all([deep(tx), tx`select 1`.execute(), tx`select 2`.execute()]),
    );
    await assert.rejects(work, { code: '22012' });
  }
  await assertWhole();
});

test('given statements that were sent together and are awaited in turn, when the first fails, then nobody has to await the others', async () => {
  const unheard: unknown[] = [];
  const note = (error: unknown) => void unheard.push(error);
  process.on('unhandledRejection', note);
  const inTurn = async (tx: Tx, first: Promise<unknown>) => {
    const second = tx`select 1`.execute();
    await first;
    await second;
  };
  for (const run of [db.transaction, db.read]) {
    await assert.rejects(
      run(company_id, (tx) => inTurn(tx, tx`select 1 / 0`.execute())),
      { code: '22012' },
    );
    const killed = run(company_id, async (tx) => {
      const pid = await pidOf(tx);
      void kill(pid).catch(note);
      await inTurn(tx, tx`select pg_sleep(10)`.execute());
    });
    assert.ok(isUnreachable(await killed.catch((error: unknown) => error)));
    await assertWhole();
  }
  // Outside of transactions it holds for a lost connection.
  const own = place.open(1);
  await own.index`select 1`;
  const ended = own.close();
  await assert.rejects(inTurn(own.index as unknown as Tx, own.index`select 1`.execute()), isUnreachable);
  await ended;
  await turn();
  process.off('unhandledRejection', note);
  assert.deepEqual(unheard, []);
});

test('a failure that was overcome is not taken for the cause of a later one', async () => {
  const work = db.transaction(company_id, async (tx) => {
    await tx.unsafe('savepoint here');
    await tx`select 1 / 0`.catch(() => undefined);
    await tx.unsafe('rollback to savepoint here');
    await Promise.all([(async () => void (await tx`select 'x'::text::integer`))(), tx`select 1`.execute()]);
  });
  await assert.rejects(work, { code: '22P02' });
});

test('killed while a statement runs: the call hears that the database is away, nothing is kept', async () => {
  const id = newId();
  for (const run of [db.transaction, db.read]) {
    const error = await run(company_id, async (tx) => {
      if (run === db.transaction) await insert(tx, id);
      const pid = await pidOf(tx);
      await Promise.all([tx`select pg_sleep(10)`, kill(pid)]);
    }).catch((e: unknown) => e);
    assert.ok(isUnreachable(error), String(error));
    assert.equal(await isKept(id), false);
    await assertWhole();
  }
});

test('killed between two statements: the work is not waited for, and what it still sends reaches nothing', async () => {
  const [before_kill, after_kill, due] = [newId(), newId(), newId()];
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // The loss may come first, so wait for what is sent afterwards.
  let tell: (settled: PromiseSettledResult<unknown>[]) => void = () => undefined;
  const late = new Promise<PromiseSettledResult<unknown>[]>((resolve) => {
    tell = resolve;
  });
  const work = db.transaction(company_id, async (tx) => {
    await insert(tx, before_kill);
    await kill(await pidOf(tx));
    await gate;
    tell(await Promise.allSettled([insert(tx, after_kill), insertDue(tx, due)]));
  });
  await assert.rejects(work, ConnectionLost);
  goOn();
  await assertWhole();
  const settled = await late;
  assert.deepEqual(
    settled.map((s) => s.status),
    ['rejected', 'rejected'],
  );
  for (const id of [before_kill, after_kill, due]) assert.equal(await isKept(id), false);
  await assertWhole();
});

test('killed while idle in the pool: the next to borrow the connection is served', async () => {
  const pids = new Set<number>();
  await Promise.all(
    Array.from({ length: 3 }, () =>
      db.transaction(company_id, async (tx) => {
        pids.add(await pidOf(tx));
        await tx`select pg_sleep(0.05)`;
      }),
    ),
  );
  assert.equal(pids.size, 3);
  for (const pid of pids) await kill(pid);
  await assertWhole();
});

test('killed at any moment under load: exactly what was acknowledged is there, each row with its own company', async () => {
  const outcomes: { id: string; due: string; is_done: boolean }[] = [];
  let is_over = false;
  const killer = (async () => {
    while (!is_over) {
      await place.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and usename = 'folio_service' order by random() limit 1`;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const own = await Promise.all(Array.from({ length: 8 }, () => place.company()));
  // On a fast machine the first transactions may all be done before one is met by a kill.
  const hasBoth = () => outcomes.some((o) => o.is_done) && outcomes.some((o) => !o.is_done);
  await Promise.all(
    own.map(async (mine) => {
      for (let i = 0; i < 25 || (i < 2000 && !hasBoth()); i++) {
        const [id, due] = [newId(), newId()];
        try {
          await db.transaction(mine, async (tx) => {
            const [seen] = await Promise.all([
              tx<{ company_id: string }[]>`select company_id from companies`,
              tx`insert into events (company_id, id, type, aggregate_id, sequence, api_version, livemode, data, created_at)
                 values (${mine}, ${id}, 'x', ${id}, 1, '2026-10-01', true, '{}', now())`,
            ]);
            assert.deepEqual(
              seen.map((r) => r.company_id),
              [mine],
            );
            await tx`insert into due_work (company_id, id, kind, due_at) values (${mine}, ${due}, 'x', now())`;
          });
          outcomes.push({ id, due, is_done: true });
          await Promise.all([
            db.index`select 1`,
            db.index`select key_id from credentials where secret_hash = ${Buffer.from('x')}`,
            db.read(mine, (tx) => tx`select 1`),
          ]);
        } catch (error) {
          assert.ok(isUnreachable(error), String(error));
          if (!outcomes.some((o) => o.id === id)) outcomes.push({ id, due, is_done: false });
        }
      }
    }),
  );
  is_over = true;
  await killer;
  for (const { id, due, is_done } of outcomes) {
    const kept = [await isKept(id), await isKept(due)];
    // A commit whose answer was lost may have happened, but never by halves.
    assert.equal(kept[0], kept[1]);
    if (is_done) assert.deepEqual(kept, [true, true]);
  }
  assert.ok(hasBoth());
  await assertWhole();
});

test('work that goes on after its transaction failed cannot reach into the next one', async () => {
  const stray_id = newId();
  let stray: Promise<unknown> | undefined;
  const failed = db.transaction(company_id, (tx) => {
    const goesOn = async () => {
      await tx`select pg_sleep(0.02)`.catch(() => undefined);
      await insertDue(tx, stray_id);
    };
    stray = goesOn().catch((error: unknown) => error);
    return Promise.all([stray, Promise.reject(new Error('early'))]);
  });
  await assert.rejects(failed, /early/);
  await assertWhole();
  assert.match(String(await stray), /is over/);
  assert.equal(await isKept(stray_id), false);
});

test('work that goes on after its transaction was committed cannot either', async () => {
  const id = newId();
  let late: (() => Promise<unknown>) | undefined;
  await db.transaction(company_id, async (tx) => {
    late = () => insertDue(tx, id);
  });
  await assert.rejects(late!(), /is over/);
  assert.equal(await isKept(id), false);
});

test('callers queue for a connection, and those still queueing when it closes are refused', async () => {
  const small = place.open(2);
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const holders = [1, 2].map(() => small.transaction(company_id, () => gate));
  const waiting = small.transaction(company_id, async () => 'served');
  const refused = small.transaction(company_id, async () => 'served');
  const [first] = holders;
  open();
  await first;
  assert.equal(await waiting, 'served');
  await refused;
  await Promise.all(holders);
  let stuck_open: () => void = () => undefined;
  const stuck_gate = new Promise<void>((resolve) => {
    stuck_open = resolve;
  });
  const stuck = [1, 2].map(() => small.transaction(company_id, () => stuck_gate));
  const left = small.transaction(company_id, async () => 'served');
  const closing = small.close();
  await assert.rejects(left, ConnectionLost);
  stuck_open();
  await Promise.allSettled(stuck);
  await closing;
});

test('a wait for a row that another transaction holds ends, and tells of which table', async () => {
  const lock = (tx: Tx) => tx`select 1 from companies where company_id = ${company_id} for no key update`;
  await db.transaction(company_id, async (holder) => {
    await lock(holder);
    const waiting = db.transaction(company_id, async (tx) => {
      await tx.unsafe("set local lock_timeout = '30ms'");
      await Promise.all([tx`select 1`, lock(tx), tx`select 2`]);
    });
    await assert.rejects(waiting, (error) => heldTable(error) === 'companies');
  });
  assert.equal(heldTable(new Error('x')), undefined);
});

test('lists go to the database and come back as they were', async () => {
  const text = anyText().filter((t) => !t.includes('\0') && t.isWellFormed());
  const lists = fc.array(
    fc.oneof(text, fc.constantFrom('null', 'NULL', '', '{}', '"', '\\', ',', '{a,b}', 'a"b\\')),
  );
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const [row] = await place.sql<{ list: string[]; count: number }[]>`
        select ${list}::text[] as list, cardinality(${list}::text[]) as count`;
      assert.deepEqual(row, { list, count: list.length });
    }),
    { numRuns: 100 },
  );
  const ids = [newId(), newId()];
  const [row] = await place.sql`
    select ${ids}::uuid[] as ids, array[1, null, -3] as numbers, array['a', null]::text[] as texts,
           '{}'::uuid[] as none, null::text[] as nothing`;
  const expected = { ids, numbers: [1, null, -3], texts: ['a', null], none: [], nothing: null };
  assert.deepEqual({ ...row }, expected);
});

test('a process has as many connections as connectionsOf says, less the one that looks at the database now and then', async () => {
  const application_name = 'counted';
  const counted = openDatabase({ target: place.target, pool_size: 7, role: null, application_name });
  const listener = connect({ target: place.target, pool_size: 1, role: null, application_name });
  try {
    const [worker, deliveries] = [makeDueHint(listener), makeDueHint(listener, 'folio_deliveries')];
    for (const hint of [worker, deliveries]) {
      hint.listen(() => undefined);
      hint.notify();
    }
    const gate = Promise.withResolvers<void>();
    const held = Array.from({ length: 7 }, () =>
      counted.probe(async (sql) => sql`select 1`.then(() => gate.promise)),
    );
    const asked = [];
    for (let i = 0; i < 3; i++) {
      asked.push(counted.index`select pg_sleep(0.05)`.execute());
      // A statement is sent in the next turn.
      await turn();
    }
    await Promise.all(asked);
    const count = async () => {
      const [row] = await place.sql<{ connections: number }[]>`
        select count(*)::integer as connections from pg_stat_activity where application_name = ${application_name}`;
      return row!.connections;
    };
    await until(async () => (await count()) >= connectionsOf(7) - 1);
    assert.equal(await count(), connectionsOf(7) - 1);
    assert.equal(connectionsOf(7), 13);
    gate.resolve();
    await Promise.all(held);
  } finally {
    await Promise.all([counted.close(), listener.end({ timeout: 1 })]);
  }
});

test('a company that is no uuid opens no transaction', async () => {
  await assert.rejects(
    db.transaction("x'; select 1; --", async () => 1),
    /uuid/,
  );
  assert.equal(sqlState(new Error('x')), undefined);
});

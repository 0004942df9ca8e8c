import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { type App, onOwnDatabase } from '../../test/harness.ts';
import { connect, isUnreachable } from './db.ts';
import { copyIn, copyOut, readSnapshot, refillTables } from './table-copies.ts';

const startApp = onOwnDatabase();

/** The stream holds so many before the connection is told to wait. */
const heldBytes = 65_536;
const rowBytes = 1024;

test('given a reader who is slower than the server, when a table is copied whole, then the connection goes on with the next statement', {
  timeout: 60_000,
}, async (t) => {
  const app = await startApp(t);
  await app.sql.begin(async (begun) => {
    const sql = begun as unknown as Sql;
    await sql.unsafe('create table copied_rows (text text)');
    // The last rows come in one piece with the end of the copy, or not: that depends on how many there are.
    for (let rows = heldBytes / rowBytes - 8; rows <= heldBytes / rowBytes + 40; rows++) {
      await sql.unsafe('truncate copied_rows');
      await sql`insert into copied_rows select repeat('x', ${rowBytes - 1}::int) from generate_series(1, ${rows}::int)`;
      await copyOut(sql, { name: 'copied_rows', columns: ['text'] }, async (copy) => {
        await sleep(20);
        let bytes = 0;
        for await (const part of copy) bytes += (part as Buffer).length;
        assert.equal(bytes, rows * rowBytes);
      });
    }
    await sql.unsafe('drop table copied_rows');
  });
});

/** Some megabytes: more than stream and socket hold. */
const manyRows = { name: 'many_rows', columns: ['text'] };

async function givenManyRows(t: TestContext): Promise<{ open: () => Sql; app: App }> {
  const app = await startApp(t);
  await app.sql.unsafe(
    `drop table if exists many_rows; create table many_rows as select repeat('x', 1000) as text from generate_series(1, 8000)`,
  );
  const { superuser: user, ...server } = JSON.parse(process.env.FOLIO_TEST_SERVER ?? '{}');
  const [at] = await app.sql<{ database: string }[]>`select current_database() as database`;
  const commands: Sql[] = [];
  t.after(async () => {
    for (const command of commands) await command.end({ timeout: 1 });
    await app.sql.unsafe('drop table many_rows');
  });
  const open = () => {
    const command = connect({ target: { ...server, ...at, user }, pool_size: 1, role: null });
    commands.push(command);
    return command;
  };
  return { open, app };
}

for (const few of [0, 3, null])
  test(`given a reader that fails, as on a full disk, when a table of ${few ?? 'many'} rows is copied, then the failure is told, and the connection goes on`, {
    timeout: 20_000,
  }, async (t) => {
    const { open, app } = await givenManyRows(t);
    if (few !== null)
      await app.sql`delete from many_rows where ctid not in (select ctid from many_rows limit ${few})`;
    const command = open();
    const full = new Error('no space left');
    const copying = readSnapshot(command, (sql) =>
      copyOut(sql, manyRows, async (rows) => {
        const file = new Writable({
          construct: (done) => done(few === null ? null : full),
          write: (_bytes, _encoding, done) => done(full),
        });
        await pipeline(rows, file);
      }),
    );
    await assert.rejects(copying, (error) => error === full);
    assert.equal((await command`select 1 as one`)[0]?.one, 1);
  });

test('given a session that the server ends, when tables are copied, then the loss is told', async (t) => {
  const { open, app } = await givenManyRows(t);
  const end = async (sql: Sql) => {
    const [own] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    return async () => {
      await app.sql`select pg_terminate_backend(${own!.pid}, 10000)`;
      // The driver hears of it.
      await sleep(50);
    };
  };
  const whileRead = (sql: Sql) =>
    readSnapshot(sql, async (tx) => {
      const lose = await end(tx);
      await copyOut(tx, manyRows, async (rows) => {
        await pipeline(
          rows,
          new Writable({ write: (_bytes, _encoding, done) => void lose().then(() => done()) }),
        );
      });
    });
  const betweenStatements = (sql: Sql) =>
    readSnapshot(sql, async (tx) => {
      await (await end(tx))();
      await tx`select 1`;
    });
  const beforeTheCommit = (sql: Sql) => readSnapshot(sql, async (tx) => (await end(tx))());
  const whileWritten = (sql: Sql) =>
    refillTables(sql, [manyRows], async (tx) => {
      const lose = await end(tx);
      const rows = await copyIn(tx, manyRows);
      const given = async function* () {
        yield 'x\n';
        await lose();
        yield 'y\n';
      };
      await pipeline(given, rows);
    });
  for (const work of [whileRead, betweenStatements, beforeTheCommit, whileWritten]) {
    await assert.rejects(work(open()), isUnreachable, work.name);
    assert.equal((await app.sql`select count(*)::int as rows from many_rows`)[0]?.rows, 8000);
  }
});

test('given rows that came after the look, when tables are refilled, then whoever refills is told of them first, and they stay', async (t) => {
  const { open, app } = await givenManyRows(t);
  let told: readonly string[] = [];
  const refilling = refillTables(
    open(),
    [manyRows],
    async () => assert.fail('nothing is written'),
    (filled) => {
      told = filled;
      throw new Error('refused');
    },
  );
  await assert.rejects(refilling, /refused/);
  assert.ok(told.includes('many_rows'), told.join());
  assert.equal((await app.sql`select count(*)::int as rows from many_rows`)[0]?.rows, 8000);
});

/**
 * What becomes of a database in DATABASE_URL while writers go on. The service says why it is not ready, answers 503 or
 * better, and recovers by itself when the database does.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { createCompany, Installation, type Keys } from '../support/installation.ts';
import { assertAllKept, keepIssuing } from '../support/keep-issuing.ts';
import { makeSmallDisk, PretendedDisk } from '../support/full-disks.ts';
import { ManagedDatabase } from '../support/managed-database.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/worker-place.ts';

/** Between two looks or reads: what the service and its writers do meanwhile has a core to itself. */
const pauseMs = 50;

async function readiness(url: string): Promise<string> {
  const { statusCode, body } = await request(`${url}/readyz`, { headersTimeout: 20_000 });
  const { status } = (await body.json()) as { status: string };
  return `${statusCode} ${status}`;
}

class Place {
  readonly database: ManagedDatabase;
  readonly installation: Installation;
  readonly service: ServiceProcess;
  readonly company: Keys;
  readonly acknowledged = new Map<string, string>();
  readonly read_statuses = new Set<number>();
  readonly #working: Promise<unknown>;
  #is_over = false;

  private constructor(
    database: ManagedDatabase,
    installation: Installation,
    service: ServiceProcess,
    company: Keys,
  ) {
    this.database = database;
    this.installation = installation;
    this.service = service;
    this.company = company;
    const isOver = () => this.#is_over;
    const { url } = installation;
    const writers = [1, 2].map(() => keepIssuing(url, company.live_key, this.acknowledged, isOver));
    this.#working = Promise.all([...writers, this.#keepReading()]);
    this.#working.catch(() => undefined);
  }

  /** @param disk a folder where the tables lie */
  static async make(t: TestContext, disk: string | undefined): Promise<Place> {
    const database = await ManagedDatabase.make(t);
    if (disk !== undefined) {
      database.giveToServer(disk);
      await database.ask(`create tablespace small location '${disk}'`);
    }
    const tablespace = disk === undefined ? '' : 'tablespace small';
    await database.ask(`create role folio_owner login createrole password 'secret'`);
    await database.ask(`create database folio owner folio_owner ${tablespace}`);
    const installation = await Installation.make(t, {
      DATABASE_URL: database.url('folio_owner', 'folio'),
      FOLIO_SECRET_KEY: 'a secret key of 32 characters or more',
    });
    const service = await installation.start();
    return new Place(database, installation, service, await createCompany(installation));
  }

  async #keepReading(): Promise<void> {
    const headers = { authorization: `Bearer ${this.company.live_key}` };
    while (!this.#is_over) {
      const { statusCode, body } = await request(`${this.installation.url}/v1/invoices?limit=1`, { headers });
      await body.dump();
      this.read_statuses.add(statusCode);
      await sleep(pauseMs);
    }
  }

  async works(): Promise<void> {
    const before = this.acknowledged.size;
    while (this.acknowledged.size < before + 3) await Promise.race([sleep(10), this.#working]);
  }

  async becomes(status: RegExp): Promise<void> {
    let last = '';
    try {
      await until(async () => {
        last = await readiness(this.installation.url);
        if (status.test(last)) return true;
        await sleep(pauseMs);
        return false;
      });
    } catch (error) {
      throw new Error(`it is still ${last}`, { cause: error });
    }
  }

  /** Once more after the mending: the service is the one of before, and ready. */
  async recovers(): Promise<void> {
    await this.becomes(/^200 ready$/);
    await this.works();
  }

  async ends(): Promise<void> {
    this.#is_over = true;
    await this.#working;
    await assertAllKept(this.installation.url, this.company.live_key, this.acknowledged);
    assert.deepEqual(
      [...this.read_statuses].filter((status) => status !== 200 && status !== 503),
      [],
    );
  }
}

const away = /^503 the database does not answer$/;
const read_only = /^503 the database is read only$/;

test('given writers, when the database restarts, fails over, hangs, only reads or has a full disk, then the service recovers each time and nothing is lost', async (t) => {
  const disk = makeSmallDisk(t) ?? new PretendedDisk();
  const place = await Place.make(t, disk.path);
  const { database } = place;
  await place.works();

  await t.test('a restart', async () => {
    await database.stop('SIGINT');
    await place.becomes(away);
    await database.start();
    await place.recovers();
  });

  await t.test('a stop that waits for the sessions: the service lets it end', async () => {
    await database.stop('SIGTERM');
    await place.becomes(away);
    await database.start();
    await place.recovers();
  });

  await t.test(
    'a login that is refused: connections that are there go on, and what is wrong is told',
    async () => {
      await database.ask('alter role folio_owner nologin');
      await place.service.says(/New connections .* \(role "folio_owner" is not permitted to log in\)/);
      await place.works();
      // A connection that was never open is refused; the others answer.
      await place.becomes(/^200 ready$/);
      await database.ask(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'folio'`);
      await place.becomes(/^503 the database refuses the login$/);
      await database.ask('alter role folio_owner login');
      await place.recovers();
    },
  );

  await t.test('sessions that begin as read only, and would stay so', async () => {
    await database.ask('alter database folio set default_transaction_read_only = on');
    await database.ask(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'folio'`);
    await place.becomes(read_only);
    await database.ask('alter database folio reset default_transaction_read_only');
    await place.recovers();
  });

  await t.test('a standby that is promoted', async () => {
    await database.stop('SIGINT');
    await database.start({ as_standby: true });
    await place.becomes(read_only);
    await database.ask('select pg_promote()');
    await place.recovers();
  });

  await t.test('a way that swallows everything, with connections that never come back', async () => {
    database.hang();
    await place.becomes(away);
    database.unhang();
    await place.recovers();
  });

  await t.test('a full disk: callers are told so until there is room', async () => {
    if (disk instanceof PretendedDisk) await disk.takeOver(database);
    await place.works();
    await disk.fill();
    await place.becomes(/^503 the disk of the database is full$/);
    for (let looks = 0; looks < 10; looks++) {
      await sleep(100);
      assert.match(
        await readiness(place.installation.url),
        /^503 the disk/,
        'it stays so while the disk is full',
      );
    }
    await disk.empty();
    await place.recovers();
  });

  await place.ends();
});

/** Service processes on the test's database, which the test may kill. */

import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { App } from '../harness.ts';
import type { SenderOptions } from './sender-steps.ts';
import { roomyHeap } from './roomy-heap.ts';
import { ServiceProcess, type SpawnWish } from './service-process.ts';
import { until } from './worker-place.ts';

/** A whole run has it as one file, which loads faster. */
const program =
  process.env.FOLIO_TEST_CHILD_PROGRAM ?? fileURLToPath(new URL('service-child-program.ts', import.meta.url));
let count = 0;

export class ServiceChild extends ServiceProcess {
  readonly #app: App;
  /** Of its connections, as PostgreSQL knows them. */
  readonly name: string;

  constructor(app: App, name: string, wish: SpawnWish) {
    super(process.execPath, [...roomyHeap, program], { ...wish, shows_errors: true });
    this.#app = app;
    this.name = name;
  }

  get url(): string {
    return this.stdout.split('\n')[0] ?? '';
  }

  /** Printed after the address. */
  get lines(): readonly string[] {
    return this.stdout.split('\n').slice(1, -1);
  }

  /** Also waits until PostgreSQL has ended its connections. */
  override async kill(): Promise<void> {
    await super.kill();
    await until(async () => {
      const rows = await this.#app.sql`
        select 1 from pg_stat_activity where datname = current_database() and application_name = ${this.name}`;
      return rows.length === 0;
    });
  }
}

/** Plain data, for another process. */
export async function databaseOf(app: App): Promise<Record<string, unknown>> {
  const [row] = await app.sql<{ database: string }[]>`select current_database() as database`;
  const { superuser: _, ...server } = JSON.parse(process.env.FOLIO_TEST_SERVER ?? '{}') as {
    superuser: string;
  };
  return { ...server, user: 'folio_service', database: row?.database };
}

export type ChildOptions = {
  /** Instead of the direct way to the database. */
  target?: Record<string, unknown>;
  /**
   * When the machine's clock shows `when`, the child's shows `shows` (epoch milliseconds). It runs `speed` times as
   * fast. `when` may be a file that will hold it: the child's clock stands still until the file is there.
   */
  clock?: { shows: number; when: number | string; speed: number };
  /** False: the only statements are those of the calls. */
  writes_request_log?: boolean;
  /** It sends these companies' records and prints each that reaches the held step. */
  sender?: SenderOptions;
  works?: boolean;
  /** Connections; 8 when left out. */
  pool_size?: number;
  /** It works, and serves nothing but its health: it starts faster. */
  only_works?: boolean;
  /** It is loaded, and starts when it gets SIGUSR2. Until then it says `held`. */
  is_held?: boolean;
  env?: Record<string, string>;
  /** It delivers events, also to loopback, and trusts this issuer. */
  delivers?: { ca: string };
};

/** The test ends it at the latest. */
export async function startChild(
  t: TestContext,
  app: App,
  { target, ...options }: ChildOptions = {},
): Promise<ServiceChild> {
  count += 1;
  const name = `folio child ${count}`;
  const child = new ServiceChild(app, name, {
    env: {
      ...process.env,
      FOLIO_TEST_TARGET: JSON.stringify(target ?? (await databaseOf(app))),
      FOLIO_TEST_CHILD: JSON.stringify({ name, ...options }),
    },
  });
  t.after(() => child.kill());
  await child.says(/^\S+\n/);
  return child;
}

/** Processes of the service on the database of a test's app, that the test may kill as a machine would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { App } from '../harness.ts';
import type { SenderOptions } from './sender-steps.ts';
import { until } from './worker-place.ts';

const script = fileURLToPath(new URL('service-child-program.ts', import.meta.url));
let count = 0;

export type ServiceChild = {
  url: string;
  /** SIGKILL, at once; `kill` also waits for what is left of it. */
  strike(): void;
  kill(): Promise<void>;
  /** SIGSTOP: it lives, and does nothing more. */
  freeze(): void;
  /** What it has printed after its address. */
  lines: readonly string[];
};

/** How the service reaches the database of the test's app; plain data, for another process. */
export async function databaseOf(app: App): Promise<Record<string, unknown>> {
  const [row] = await app.sql<{ database: string }[]>`select current_database() as database`;
  const { superuser: _, ...server } = JSON.parse(process.env.FOLIO_TEST_SERVER ?? '{}') as {
    superuser: string;
  };
  return { ...server, user: 'folio_service', database: row?.database };
}

export type ChildOptions = {
  /** Where it finds the database, when not directly. */
  target?: Record<string, unknown>;
  /** Its clock shows `shows` when the machine's shows `when` (epoch milliseconds), and runs so much faster. */
  clock?: { shows: number; when: number; speed: number };
  /** False: nothing is written beside the calls, so that their statements are all there are. */
  writes_request_log?: boolean;
  /** It works as the sender of these companies, and prints who has come to the step where it is held. */
  sender?: SenderOptions;
  /** It does background work. */
  works?: boolean;
  /** Settings besides those of every child. */
  env?: Record<string, string>;
  /** It delivers events, also to loopback, and believes this issuer. */
  delivers?: { ca: string };
};

/** Starts a process of the service; the test ends it at the latest. */
export async function startChild(
  t: TestContext,
  app: App,
  { target, ...options }: ChildOptions = {},
): Promise<ServiceChild> {
  count += 1;
  const name = `folio child ${count}`;
  const child: ChildProcess = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      FOLIO_TEST_TARGET: JSON.stringify(target ?? (await databaseOf(app))),
      FOLIO_TEST_CHILD: JSON.stringify({ name, ...options }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const strike = () => void child.kill('SIGKILL');
  const kill = async () => {
    strike();
    await exited;
    // PostgreSQL ends what the process had open when it notices.
    await until(async () => {
      const rows = await app.sql`
        select 1 from pg_stat_activity where datname = current_database() and application_name = ${name}`;
      return rows.length === 0;
    });
  };
  t.after(() => kill());
  const printed: string[] = [];
  const lines = createInterface({ input: child.stdout! });
  const [url] = (await once(lines, 'line')) as [string];
  lines.on('line', (line) => printed.push(line));
  return { url, strike, kill, freeze: () => void child.kill('SIGSTOP'), lines: printed };
}

/**
 * A server may live and take no new connections: after a SIGTERM, when it is halted, when its socket was removed. Those
 * who are connected go on, and nobody else ever gets in. Such a server is ended, so that its users start another.
 */
import type { Binaries } from './binaries.ts';
import { pingServer, type ServerPlace } from './connection.ts';
import {
  endPostmaster,
  IMPATIENT,
  isStopping,
  ORDERLY,
  type Patience,
  type Postmaster,
  readPostmasterFile,
} from './postmaster.ts';

const LOOK_MILLISECONDS = 1000;
/** A question costs the server a process. Once it is silent, each look asks again. */
const LOOKS_A_QUESTION = 5;
/** Each waits five seconds, so a machine that is only slow has fifteen. */
const SILENCES_MAX = 3;

type Watched = {
  postmaster: Postmaster;
  place: ServerPlace;
  pgdata: string;
  binaries: Binaries;
  log: (line: string) => void;
};

export type HalfDeathWatch = {
  stop(): void;
  /** Whether this watch ended the server. */
  has_ended(): boolean;
};

export function endWhenHalfDead({ postmaster, place, pgdata, binaries, log }: Watched): HalfDeathWatch {
  let silences = 0;
  let looks = 0;
  let is_over = false;
  let is_ending = false;
  let has_ended = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    if (isStopping(readPostmasterFile(pgdata), postmaster)) return end('is shutting down', ORDERLY);
    looks += 1;
    if (silences === 0 && looks % LOOKS_A_QUESTION !== 0) return;
    silences = (await pingServer(place)) === 'silent' ? silences + 1 : 0;
    if (silences >= SILENCES_MAX) await end('takes no connections', IMPATIENT);
  }

  async function end(why: string, patience: Patience): Promise<void> {
    if (is_over || is_ending || postmaster.has_died()) return;
    is_ending = true;
    has_ended = true;
    log(`The embedded database server (process ${postmaster.identity.pid}) ${why}: it is ended.`);
    await endPostmaster(postmaster, pgdata, binaries, patience).finally(() => {
      // If it could not be ended, a later look tries again.
      is_ending = false;
      silences = 0;
    });
  }

  function plan(): void {
    if (is_over || postmaster.has_died()) return;
    timer = setTimeout(() => {
      look()
        .catch((error: unknown) => log((error as Error).message))
        .finally(plan);
    }, LOOK_MILLISECONDS).unref();
  }

  plan();
  return {
    stop() {
      is_over = true;
      clearTimeout(timer);
    },
    has_ended: () => has_ended,
  };
}

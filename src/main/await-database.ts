/** A machine that boots, and an orchestrator, may start the service before the database that it works with. */
import { setTimeout as wait } from 'node:timers/promises';
import { isUnreachable } from '../platform/db.ts';
import { asOwner, type WayTo } from './database.ts';

const patienceMs = 60_000;
const pauseMs = 1000;

/**
 * Asks a database that does not answer yet until it does, each way. A login that it refuses is told at once.
 * @param stop ends the wait
 * @param patience_ms for tests, as `pause_ms`
 * @returns false when `stop` came first
 * @throws what the last attempt threw
 */
export async function awaitDatabase(
  ways: readonly WayTo[],
  tell: (line: string) => void,
  stop: Promise<unknown>,
  { patience_ms = patienceMs, pause_ms = pauseMs } = {},
): Promise<boolean> {
  const until = performance.now() + patience_ms;
  const stopped = stop.then(() => false);
  const ask = async () => {
    for (const way of ways) await asOwner(way, async () => undefined);
    return true;
  };
  for (let attempt = 1; ; attempt++) {
    const asked = ask();
    asked.catch(() => undefined);
    try {
      const answers = await Promise.race([asked, stopped]);
      if (answers && attempt > 1) tell('The database answers.');
      return answers;
    } catch (error) {
      if (!isUnreachable(error) || performance.now() >= until) throw error;
      if (attempt === 1)
        tell(
          `The database does not answer yet (${(error as Error).message}): it is asked again for ${patience_ms / 1000} seconds.`,
        );
    }
    await Promise.race([wait(pause_ms), stopped]);
  }
}

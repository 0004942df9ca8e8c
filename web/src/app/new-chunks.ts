/**
 * A page opened before an upgrade asks for chunks that are gone. It is loaded again, once, on the way to another page:
 * what is fetched beforehand, while somebody may be writing, can wait. While nothing answers, it is not loaded again: the
 * browser would have nothing to show. The chunk is asked for until it comes.
 */
import { warnOfFailure } from '../parts/late-failure.tsx';
import { NoAnswer } from './api.ts';
import { publicPath } from './server-words.ts';

const name = 'folio-reloaded-at';
const once_ms = 60_000;
const pause_ms = 2000;

/** @param isAwaited whether somebody is on the way to another page */
export const loadedOnceReachable =
  <T>(load: () => Promise<T>, isAwaited: () => boolean) =>
  async (): Promise<T> => {
    for (let is_told = false; ; await pause()) {
      try {
        return await load();
      } catch (error) {
        if (await isReachable()) return isAwaited() && reloadOnce() ? await never() : raise(error);
        if (!is_told && isAwaited()) {
          warnOfFailure(new NoAnswer());
          is_told = true;
        }
      }
    }
  };

const pause = () => new Promise((resolve) => setTimeout(resolve, pause_ms));
const never = () => new Promise<never>(() => undefined);

function raise(error: unknown): never {
  throw error;
}

const isReachable = () =>
  fetch(`${publicPath}/dashboard`, { cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  );

function reloadOnce(): boolean {
  const last = Number(sessionStorage.getItem(name) ?? 0);
  if (Date.now() - last < once_ms) return false;
  sessionStorage.setItem(name, String(Date.now()));
  location.reload();
  return true;
}

/**
 * A page opened before an upgrade asks for chunks that are gone. It is loaded again, once, on the way to another page:
 * what is fetched beforehand, while somebody may be writing, can wait.
 */
import { router } from './router.tsx';

const name = 'folio-reloaded-at';
const once_ms = 60_000;

export function reloadForNewChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    if (router.latestLocation.href === router.state.resolvedLocation?.href) return;
    const last = Number(sessionStorage.getItem(name) ?? 0);
    if (Date.now() - last < once_ms) return;
    sessionStorage.setItem(name, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}

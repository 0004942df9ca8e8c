/** A page opened before an upgrade asks for chunks that are gone. It is loaded again, once. */
const name = 'folio-reloaded-at';
const once_ms = 60_000;

export function reloadForNewChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(name) ?? 0);
    if (Date.now() - last < once_ms) return;
    sessionStorage.setItem(name, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}

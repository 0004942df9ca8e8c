// Runs before the first paint. Light or dark as chosen, else as the system says.
(() => {
  const root = document.documentElement;
  let chosen = null;
  try {
    chosen = localStorage.getItem('folio-scheme');
  } catch {
    // A browser may forbid storage.
  }
  const is_dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', is_dark ? 'dark' : 'light');
})();

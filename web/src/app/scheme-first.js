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
  const scheme = 'data-mantine-color-scheme';
  root.setAttribute(scheme, is_dark ? 'dark' : 'light');
  // Paper is light: browsers print no dark ground, and pale text is hard to read without it.
  let on_screen = null;
  addEventListener('beforeprint', () => {
    on_screen = root.getAttribute(scheme);
    root.setAttribute(scheme, 'light');
  });
  addEventListener('afterprint', () => {
    if (on_screen !== null) root.setAttribute(scheme, on_screen);
  });
})();

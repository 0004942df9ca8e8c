/** What the server wrote into the shell. */

function meta(name: string): string | null {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? null;
}

const written = meta('folio-base');

/** The path that the service is under, without a slash at its end; empty at the root. */
export const publicPath: string = written === null || written.startsWith('__') ? '' : written;

/** Browsers hide the attribute from pages, not the property from scripts. */
export const nonce: string =
  document.querySelector<HTMLElement>('meta[property="csp-nonce"], script[nonce]')?.nonce ?? '';

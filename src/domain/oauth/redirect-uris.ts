/** Where an application may have its users sent (RFC 6749, 3.1.2; RFC 8252, 7). */

export type ClientType = 'public' | 'confidential';

export const redirectLength = 2000;

const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?(?=[/?]|$)/;
const secure = /^https:\/\/[^/?]/;
/** A reader of addresses takes other signs too, and some of them would end the source that the consent page names. */
const hostName = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;
/** With a dot, as in a name that somebody owns: `com.example.app:/cb`. */
const ownScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/;
/** What an address may hold (RFC 3986), but no fragment and no wildcard. */
const signs = /^[\w.~:/?[\]@!$&'()+,;=%-]+$/;

/** @returns what is wrong, for the developer of the application; null: nothing */
export function redirectFault(uri: string, type: ClientType): string | null {
  if (uri.length > redirectLength) return `Tiene más de ${redirectLength} caracteres.`;
  if (uri.includes('#')) return 'No puede llevar fragmento (#).';
  if (uri.includes('*')) return 'No puede llevar comodines (*).';
  if (!signs.test(uri) || !URL.canParse(uri)) return 'No es una dirección.';
  const { username, password, hostname } = new URL(uri);
  if (username !== '' || password !== '' || /^[a-z]+:\/\/[^/?]*@/.test(uri))
    return 'No puede llevar usuario ni contraseña.';
  if (secure.test(uri)) return hostName.test(hostname) ? null : 'No es una dirección.';
  const local = loopback.exec(uri);
  if (local) return Number(local[1] ?? 80) <= 65_535 ? null : 'No es una dirección.';
  if (ownScheme.test(uri))
    return type === 'public' ? null : 'Solo una aplicación pública puede usar un esquema propio.';
  return 'Tiene que empezar por https://, por http:// en el propio equipo (127.0.0.1, [::1] o localhost), o por un esquema propio con un punto.';
}

export function isLoopback(uri: string): boolean {
  return loopback.test(uri);
}

/** Only for an address on the person's own computer: the application chooses its port when it starts. */
function withoutPort(uri: string): string {
  return uri.replace(loopback, (start, port?: string) =>
    port === undefined ? start : start.slice(0, -port.length - 1),
  );
}

/** Compares all characters, except the port of an address on the person's own computer. */
export function allowsRedirect(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  if (!isLoopback(asked) || redirectFault(asked, 'public') !== null) return false;
  const plain = withoutPort(asked);
  return registered.some((uri) => isLoopback(uri) && withoutPort(uri) === plain);
}

/** Where the browser goes, in the words for the person: a host, or the scheme of an application. */
export function redirectPlace(uri: string): string {
  const { protocol, host } = new URL(uri);
  return secure.test(uri) || isLoopback(uri) ? host : protocol;
}

/** A source for `form-action`: browsers apply it to a form's redirect too. */
export function redirectSource(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri);
  // No source names an IPv6 address or an application's scheme with its path.
  return (secure.test(uri) || isLoopback(uri)) && !hostname.startsWith('[') ? origin : protocol;
}

/** With more parameters in its query. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(parameters).toString();
  return `${uri}${uri.includes('?') ? '&' : '?'}${text}`;
}

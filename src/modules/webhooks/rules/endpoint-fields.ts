/**
 * An endpoint needs an HTTPS address that can be a receiver, events of the catalogue, and source addresses of
 * the service.
 */
import { addressAllowed, parseRange } from '../../../kernel/ip-ranges.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalidField } from '../../../kernel/resource-input.ts';

export type Catalogue = readonly { name: string; category: string }[];

export function eventIssues(enabled_events: readonly string[], catalogue: Catalogue): FieldIssue[] {
  const known = new Set(catalogue.flatMap(({ name, category }) => [name, `${category}.*`]));
  return enabled_events.flatMap((name, index) =>
    name === '*' || known.has(name)
      ? []
      : [
          invalidField(
            `enabled_events.${index}`,
            'No es un evento del catálogo, una familia (invoice.*) ni *.',
          ),
        ],
  );
}

const urlLengthMax = 2000;

/** As it is called: a fragment is never sent, and a dot at a name's end names no other host. Unchanged when it is no address. */
export function normalUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return url.href;
}

/** @param refusal why the address can never be a receiver; null: it can */
export function urlIssues(url: string, refusal: string | null): FieldIssue[] {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    return [invalidField('url', 'Tiene que ser una dirección https.')];
  if (url.length > urlLengthMax)
    return [invalidField('url', `Codificada, tiene más de ${urlLengthMax} caracteres.`)];
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    return [invalidField('url', 'No puede llevar usuario ni contraseña.')];
  return refusal === null ? [] : [invalidField('url', refusal)];
}

/** @param source_ips where requests go out from */
export function allowlistIssues(
  ip_allowlist: readonly string[],
  source_ips: readonly string[],
): FieldIssue[] {
  const issues = ip_allowlist.flatMap((range, index) =>
    parseRange(range) === undefined
      ? [invalidField(`ip_allowlist.${index}`, 'No es una dirección IP ni un rango CIDR.')]
      : [],
  );
  if (issues.length > 0 || ip_allowlist.length === 0) return issues;
  return source_ips.some((ip) => addressAllowed(ip_allowlist, ip))
    ? []
    : [invalidField('ip_allowlist', 'Ninguna dirección de salida del servicio está en la lista.')];
}

import { isCalendarDay } from '../../kernel/dates.ts';
import type { AuthorityPort, SendingIdentity } from '../../modules/verifactu/index.ts';
import { writeDay } from './xml-text.ts';

/** The values of FOLIO_AEAT. */
export type AuthorityChoice = 'none' | 'preproduction' | 'production';

type AuthoritySite = Exclude<AuthorityChoice, 'none'>;

const servicePath = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';

/** Each host refuses certificates of the other kind. */
const serviceHosts: Record<AuthoritySite, Record<SendingIdentity['kind'], string>> = {
  production: { person: 'www1.agenciatributaria.gob.es', seal: 'www10.agenciatributaria.gob.es' },
  preproduction: { person: 'prewww1.aeat.es', seal: 'prewww10.aeat.es' },
};

const qrHosts: Record<AuthoritySite, string> = {
  production: 'www2.agenciatributaria.gob.es',
  preproduction: 'prewww2.aeat.es',
};

export function serviceUrl(site: AuthoritySite, kind: SendingIdentity['kind']): string {
  return `https://${serviceHosts[site][kind]}${servicePath}`;
}

/**
 * The text of an invoice's QR. The page reads `+` as a blank, so `+` is encoded too. The amount is the record's own
 * text.
 */
export function qrUrl(
  site: AuthoritySite,
  mode: Parameters<AuthorityPort['qrUrl']>[1],
  { tax_id, number, issued_on, total }: Parameters<AuthorityPort['qrUrl']>[2],
): string {
  const page = mode === 'verifactu' ? 'ValidarQR' : 'ValidarQRNoVerifactu';
  return (
    `https://${qrHosts[site]}/wlpl/TIKE-CONT/${page}?nif=${encodeURIComponent(tax_id)}` +
    `&numserie=${encodeURIComponent(number)}&fecha=${writeDay(issued_on)}&importe=${encodeURIComponent(total)}`
  );
}

/** What a QR of an invoice says. */
export type ReadQr = { tax_id: string; number: string; issued_on: string; total: string };

const qrPaths: ReadonlySet<string> = new Set(
  ['ValidarQR', 'ValidarQRNoVerifactu'].map((page) => `/wlpl/TIKE-CONT/${page}`),
);

/** @returns undefined for a text that is no address of the authority for an invoice */
export function readQrUrl(text: string): ReadQr | undefined {
  if (text.length > 1000 || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port, pathname, searchParams } = new URL(text);
  const is_theirs =
    protocol === 'https:' &&
    port === '' &&
    Object.values(qrHosts).includes(hostname) &&
    qrPaths.has(pathname);
  if (!is_theirs) return undefined;
  const [tax_id, number, day, total] = ['nif', 'numserie', 'fecha', 'importe'].map((name) =>
    searchParams.get(name),
  );
  const [, dd, mm, yyyy] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(day ?? '') ?? [];
  if (!tax_id || !number?.trim() || yyyy === undefined || !/^-?\d{1,12}(\.\d{1,2})?$/.test(total ?? ''))
    return undefined;
  const issued_on = `${yyyy}-${mm}-${dd}`;
  // No number has line ends or signs that nobody sees.
  if (!isCalendarDay(issued_on) || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(number)) return undefined;
  return { tax_id, number, issued_on, total: total! };
}

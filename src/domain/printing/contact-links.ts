/** Where the contact of an issuer leads. Its three fields are free text, so what is no plain address leads nowhere. */
import type { PrintedIssuer } from './print-source.ts';

/** As paper shows a website. */
export function websiteText(website: string | null | undefined): string {
  return (website ?? '').replace(/^https?:\/\/|\/$/gi, '');
}

/** Keyed by the printed text. */
export function contactLinks({
  email,
  phone,
  website,
}: Pick<PrintedIssuer, 'email' | 'phone' | 'website'>): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  if (email) links.set(email, `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`);
  const digits = (phone ?? '').replace(/\D/g, '').length;
  // A number with an extension or a second one cannot be called.
  if (phone && /^\+?[\d\s().-]+$/.test(phone) && digits >= 6 && digits <= 15)
    links.set(phone, `tel:${phone.replace(/[^+\d]/g, '')}`);
  const address = website && websiteAddress(website);
  if (address) links.set(websiteText(website), address);
  return links;
}

function websiteAddress(website: string): string | null {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(website) ? website : `https://${website}`;
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, username, password, href } = new URL(address);
  const is_web = protocol === 'https:' || protocol === 'http:';
  // A name, not a number that a browser takes for an address.
  const is_named = /\.(?:[a-z]{2,}|xn--[a-z\d-]+)$/i.test(hostname);
  return is_web && is_named && username === '' && password === '' ? href : null;
}

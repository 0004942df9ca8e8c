/**
 * Every logo that a company has had, by the hash of its bytes. Issued documents keep theirs, so the service's
 * database role may neither change nor delete rows.
 */
import { createHash } from 'node:crypto';
import type { LogoImage } from '../../domain/printing/logo-image.ts';
import type { PrintedLogo } from '../../domain/printing/printed-document.ts';
import type { Tx } from '../../kernel/operation.ts';
import { RecentBytes } from '../../platform/recent-bytes.ts';

/** Limited, because all are kept for ever. */
export const logosMax = 200;

type StoredLogo = Pick<PrintedLogo, 'media_type' | 'base64'>;

export function logoHash({ media_type, bytes }: LogoImage): string {
  return createHash('sha256').update(media_type).update('\0').update(bytes).digest('hex');
}

/** @returns false when the company has too many others */
export async function keepLogo(tx: Tx, company_id: string, image: LogoImage, now: Date): Promise<boolean> {
  const hash = logoHash(image);
  const [known] = await tx<{ is_known: boolean; count: number }[]>`
    select coalesce(bool_or(hash = ${hash}), false) as is_known, count(*)::integer as count
      from company_logos where company_id = ${company_id}`;
  if (known?.is_known) return true;
  if ((known?.count ?? 0) >= logosMax) return false;
  await tx`
    insert into company_logos (company_id, hash, media_type, content, created_at)
    values (${company_id}, ${hash}, ${image.media_type}, ${image.bytes}, ${now})`;
  return true;
}

/** A logo's bytes never change. */
const recent = new RecentBytes<StoredLogo>(16 * 1024 * 1024);

/** @returns undefined for an unknown hash, and for an SVG (ADR 24) */
export async function findLogo(tx: Tx, company_id: string, hash: string): Promise<StoredLogo | undefined> {
  const key = `${company_id} ${hash}`;
  const known = recent.get(key);
  if (known) return known;
  const [row] = await tx<{ media_type: StoredLogo['media_type']; content: Buffer }[]>`
    select media_type, content from company_logos
     where company_id = ${company_id} and hash = ${hash} and media_type in ('image/png', 'image/jpeg')`;
  if (!row) return undefined;
  const logo = { media_type: row.media_type, base64: row.content.toString('base64') };
  recent.set(key, logo, logo.base64.length);
  return logo;
}

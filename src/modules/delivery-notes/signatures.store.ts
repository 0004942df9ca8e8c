/** SQL of signatures. Their image is read alone, since few calls need it. */
import type { Tx } from '../../kernel/operation.ts';
import type { SignatureImage, SignatureRow } from './delivery-notes.rows.ts';

export async function listSignatures(
  tx: Tx,
  company_id: string,
  ids: readonly string[],
): Promise<SignatureRow[]> {
  const rows = await tx<SignatureRow[]>`
    select delivery_note_id, signed_by, signer_tax_id, image_media_type, ip, user_agent, signed_at, erased_at
      from delivery_note_signatures
     where company_id = ${company_id} and delivery_note_id = any(${ids as string[]}::uuid[])`;
  return [...rows];
}

export async function findSignatureImage(
  tx: Tx,
  company_id: string,
  id: string,
): Promise<SignatureImage | null> {
  const [row] = await tx<{ media_type: SignatureImage['media_type'] | null; image: Buffer | null }[]>`
    select image_media_type as media_type, image from delivery_note_signatures
     where company_id = ${company_id} and delivery_note_id = ${id}`;
  if (!row?.media_type || !row.image) return null;
  return { media_type: row.media_type, base64: row.image.toString('base64') };
}

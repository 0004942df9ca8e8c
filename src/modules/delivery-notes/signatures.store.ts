/** SQL of signatures. Their image is read alone, since few calls need it. */
import type { LogoImage } from '../../domain/printing/logo-image.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { SignatureImage, SignatureRow } from './delivery-notes.rows.ts';

export async function listSignatures(
  tx: Tx,
  company_id: string,
  ids: readonly string[],
): Promise<SignatureRow[]> {
  const rows = await tx<SignatureRow[]>`
    select delivery_note_id, signed_by, signer_tax_id, image_media_type, ip, user_agent, signed_at, signed_on, erased_at
      from delivery_note_signatures
     where company_id = ${company_id} and delivery_note_id = any(${ids as string[]}::uuid[])`;
  return [...rows];
}

export async function insertSignature(
  tx: Tx,
  company_id: string,
  row: SignatureRow,
  image: LogoImage | null,
): Promise<void> {
  await tx`
    insert into delivery_note_signatures
           (company_id, delivery_note_id, signed_by, signer_tax_id, image_media_type, image, ip, user_agent, signed_at, signed_on)
    values (${company_id}, ${row.delivery_note_id}, ${row.signed_by}, ${row.signer_tax_id}, ${row.image_media_type},
            ${image?.bytes ?? null}, ${row.ip}, ${row.user_agent}, ${row.signed_at}, ${row.signed_on})`;
}

/** That it was signed, and when, stays. */
export async function eraseSignature(tx: Tx, company_id: string, id: string, at: Date): Promise<void> {
  await tx`
    update delivery_note_signatures
       set signed_by = null, signer_tax_id = null, image_media_type = null, image = null, ip = null, user_agent = null,
           erased_at = ${at}
     where company_id = ${company_id} and delivery_note_id = ${id}`;
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

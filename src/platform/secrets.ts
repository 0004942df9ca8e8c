/**
 * AES-256-GCM under FOLIO_SECRET_KEY. A sealed value names its key, so a second one stays readable during a rotation.
 * It is bound to its place: a writer of the database cannot put one company's value into another's row.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The row that holds the value, whatever its column. */
export type SealedPlace = {
  table: string;
  /** Null for a table without companies. */
  company_id: string | null;
  id: string;
};

export type SecretBox = {
  seal(text: string, place: SealedPlace): Buffer;
  /** @throws Error for a value sealed with another key or for another place, or damaged */
  open(sealed: Buffer, place: SealedPlace): string;
  /** False for a value that is to be sealed again: by an earlier key, or without its place. */
  isCurrent(sealed: Buffer): boolean;
};

const version = 2;
/** Sealed before values were bound to their places. */
const unboundVersion = 1;

function placeText({ table, company_id, id }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify(['folio sealed value', table, company_id, id]));
}

function keyOf(secret: string): { id: Buffer; key: Buffer } {
  const key = createHash('sha256').update(`folio secret key\n${secret}`).digest();
  return { id: createHash('sha256').update(key).digest().subarray(0, 4), key };
}

/**
 * @param current seals new values, at least 32 characters
 * @param previous only reads, while it is rotated out
 */
export function makeSecretBox(current: string, previous: string | null = null): SecretBox {
  const keys = [keyOf(current), ...(previous === null ? [] : [keyOf(previous)])];
  return {
    seal(text, place) {
      const { id, key } = keys[0]!;
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(placeText(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([version]), id, iv, cipher.getAuthTag(), body]);
    },
    open(sealed, place) {
      const id = sealed.subarray(1, 5);
      const found = keys.find((k) => k.id.equals(id));
      const is_bound = sealed[0] === version;
      if ((!is_bound && sealed[0] !== unboundVersion) || !found)
        throw new Error('This value was sealed with a key that is not configured.');
      const decipher = createDecipheriv('aes-256-gcm', found.key, sealed.subarray(5, 17), {
        authTagLength: 16,
      });
      decipher.setAuthTag(sealed.subarray(17, 33));
      if (is_bound) decipher.setAAD(placeText(place));
      return Buffer.concat([decipher.update(sealed.subarray(33)), decipher.final()]).toString('utf8');
    },
    isCurrent: (sealed) => sealed[0] === version && keys[0]!.id.equals(sealed.subarray(1, 5)),
  };
}

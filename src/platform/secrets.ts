/**
 * AES-256-GCM under FOLIO_SECRET_KEY. A sealed value names its key, so a second one stays readable during a rotation.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export type SecretBox = {
  seal(text: string): Buffer;
  /** @throws Error for a value sealed with another key, or damaged */
  open(sealed: Buffer): string;
  isCurrent(sealed: Buffer): boolean;
};

const version = 1;

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
    seal(text) {
      const { id, key } = keys[0]!;
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([version]), id, iv, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      const id = sealed.subarray(1, 5);
      const found = keys.find((k) => k.id.equals(id));
      if (sealed[0] !== version || !found)
        throw new Error('This value was sealed with a key that is not configured.');
      const decipher = createDecipheriv('aes-256-gcm', found.key, sealed.subarray(5, 17), {
        authTagLength: 16,
      });
      decipher.setAuthTag(sealed.subarray(17, 33));
      return Buffer.concat([decipher.update(sealed.subarray(33)), decipher.final()]).toString('utf8');
    },
    isCurrent: (sealed) => sealed[0] === version && keys[0]!.id.equals(sealed.subarray(1, 5)),
  };
}

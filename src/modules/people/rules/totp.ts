/** Codes of an application that shows them (RFC 6238: SHA-1, 6 digits, 30 seconds). Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const stepSeconds = 30;
const digits = 6;
/** Clocks differ, and typing takes a while. */
const stepsAside = 1;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, without padding: as applications of codes read secrets. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let [held, bits] = [0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31];
}

export function readBase32(text: string): Buffer {
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const sign of text) {
    held = ((held << 5) | alphabet.indexOf(sign)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Buffer.from(bytes);
}

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / stepSeconds);

/** RFC 4226, section 5.3. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const at = mac[mac.length - 1]! & 15;
  const number = (mac.readUInt32BE(at) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/**
 * @param code as typed, blanks included
 * @param last_step that a code counted for, or null
 * @returns the step that the code is of, which is later than `last_step`; undefined for a wrong one
 */
export function stepOfCode(
  secret: Buffer,
  code: string,
  now: Date,
  last_step: number | null,
): number | undefined {
  const typed = Buffer.from(code.replaceAll(/\s/g, ''));
  let found: number | undefined;
  for (let step = stepAt(now) - stepsAside; step <= stepAt(now) + stepsAside; step++) {
    const right = Buffer.from(codeAt(secret, step));
    const is_right = typed.length === right.length && timingSafeEqual(typed, right);
    if (is_right && step > (last_step ?? -1)) found ??= step;
  }
  return found;
}

/** As applications read it from a QR. */
export function totpAddress(secret: string, email: string): string {
  const label = `${encodeURIComponent('Folio')}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=Folio&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}

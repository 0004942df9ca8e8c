/** Between the password and the second proof: a signed token that names the person, and opens nothing else. */
import { signedTokens } from '../../../platform/signed-tokens.ts';
import { halfMs } from '../rules/session-life.ts';
import type { UserRow } from '../users.store.ts';

/** A person, when their password was set, and when the token ends. */
const halfBytes = 16 + 6 + 6;

export function makeHalves(form_keys: readonly Buffer[]) {
  const halves = signedTokens(form_keys, 'half sign-in');

  function halfOf({ id, password_set_at }: UserRow, now: Date): string {
    const body = Buffer.alloc(halfBytes);
    Buffer.from(id.replaceAll('-', ''), 'hex').copy(body);
    body.writeUIntBE(password_set_at?.getTime() ?? 0, 16, 6);
    body.writeUIntBE(now.getTime() + halfMs, 22, 6);
    return halves.sign(body);
  }

  function readHalf(half: string, now: Date): { user_id: string; password_set_at: Date | null } | undefined {
    const body = halves.open(half, halfBytes);
    if (!body || body.readUIntBE(22, 6) <= now.getTime()) return undefined;
    const hex = body.toString('hex', 0, 16);
    const user_id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const set_ms = body.readUIntBE(16, 6);
    return { user_id, password_set_at: set_ms === 0 ? null : new Date(set_ms) };
  }

  return { halfOf, readHalf };
}

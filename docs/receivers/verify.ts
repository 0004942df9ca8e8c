import { createHmac, timingSafeEqual } from 'node:crypto';

export type Event = { id: string; type: string; data: Record<string, unknown> };

/** Keeps events by id; false when the id is there already. Best a table: insert … on conflict (id) do nothing. */
export type Inbox = { put(event: Event): boolean | Promise<boolean> };

const TOLERANCE_SECONDS = 300;

/**
 * Whether a request comes from Folio: one of its signatures is right, and it is not older than five minutes, nor from
 * the future.
 * @param body the bytes as they came, before anything parses them
 * @param header Service-Signature
 */
export function isAuthentic(
  body: Buffer,
  header: string | undefined,
  secret: string,
  nowSeconds: number = Date.now() / 1000,
): boolean {
  const parts = (header ?? '').split(',').map((part) => part.trim());
  const time = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2);
  if (time === undefined) return false;
  if (Math.abs(nowSeconds - Number(time)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  let matches = false;
  for (const part of parts) {
    if (!/^v1=[0-9a-f]{64}$/.test(part)) continue;
    if (timingSafeEqual(Buffer.from(part.slice(3), 'hex'), expected)) matches = true;
  }
  return matches;
}

/** Takes one delivery: the status to answer. A repeated event is answered as the first and not kept again. */
export async function receive(
  body: Buffer,
  header: string | undefined,
  secret: string,
  inbox: Inbox,
  nowSeconds?: number,
): Promise<{ status: number; isNew: boolean }> {
  if (!isAuthentic(body, header, secret, nowSeconds)) return { status: 400, isNew: false };
  const event = JSON.parse(body.toString('utf8')) as Event;
  return { status: 204, isNew: await inbox.put(event) };
}

/** Checks that a delivery of a webhook comes from the service. The scheme is Stripe's. */

import type { components, webhooks } from './generated/types.ts';

/** Every event by its name, and `webhook.ping`. A later version of the service may have more. */
export type EventName = keyof webhooks;

type Told<Name extends EventName> = webhooks[Name]['post']['requestBody']['content']['application/json'];
type Shared = components['schemas']['DeliveredEvent'];

/**
 * An event as it is delivered, or a ping. `type` says which, and what `data` has: a reference, so fetch the resource when
 * you need more.
 */
export type FolioEvent<Name extends EventName = EventName> = {
  [One in Name]: Omit<Shared, keyof Told<One>> & Told<One>;
}[Name];

/** The request is not the service's, or came so late that it may be a copy. Answer 400. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

const toleranceSeconds = 300;
const encoder = new TextEncoder();

/**
 * Reads a delivery whose signature is right.
 * @param body the bytes as they came, before anything parses them
 * @param signature the header Service-Signature
 * @param secret of the endpoint, `whsec_…`; during a rotation, either of the two
 * @param now_seconds the clock, in Unix seconds
 * @throws WebhookSignatureError, TypeError without a secret
 */
export async function readWebhook(
  body: Uint8Array | string,
  signature: string | null | undefined,
  secret: string | readonly string[],
  now_seconds: number = Date.now() / 1000,
): Promise<FolioEvent> {
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? []);
  // JavaScript hands on a variable of the environment that is not set.
  if (secrets.length === 0 || !secrets.every(Boolean)) throw new TypeError('There is no secret.');
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const parts = (signature ?? '').split(',').map((part) => part.trim());
  const time = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2);
  if (time === undefined) throw new WebhookSignatureError('The header Service-Signature says no time.');
  if (Math.abs(now_seconds - Number(time)) > toleranceSeconds)
    throw new WebhookSignatureError('The signature is more than five minutes away from this clock.');
  const signatures = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? []);
  const signed = concatenate(encoder.encode(`${time}.`), bytes);
  const checks = secrets.flatMap((one) => signatures.map((hex) => isRight(one, hex, signed)));
  if (!(await Promise.all(checks)).includes(true))
    throw new WebhookSignatureError('No signature is that of the secret.');
  return JSON.parse(new TextDecoder().decode(bytes)) as FolioEvent;
}

/** In constant time, as the platform compares. */
async function isRight(secret: string, hex: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['verify']);
  const given = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify('HMAC', key, given, signed);
}

function concatenate(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}

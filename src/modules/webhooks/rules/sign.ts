/**
 * Signatures (docs/webhooks.md). `Service-Signature` is keyed with the whole `whsec_…` string; the headers of
 * Standard Webhooks 1.0 with the bytes of its base64 part.
 */
import { createHmac } from 'node:crypto';

export type Signed = {
  delivery_id: string;
  /** The same for all attempts: receivers recognise repetitions. */
  event_id: string;
  event_type: string;
  body: string;
  sent_at: Date;
  /** The current one, then the previous one while it is valid. */
  secrets: readonly string[];
};

const prefix = 'whsec_';

function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text, 'utf8').digest(encoding);
}

/** The signature covers exactly `body`. */
export function deliveryHeaders(signed: Signed): Record<string, string> {
  const { event_id, body, secrets } = signed;
  const seconds = Math.floor(signed.sent_at.getTime() / 1000);
  const own = secrets.map((secret) => `v1=${hmac(secret, `${seconds}.${body}`, 'hex')}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${hmac(key, `${event_id}.${seconds}.${body}`, 'base64')}`;
  });
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Folio-Webhooks/1.0',
    'Service-Signature': [`t=${seconds}`, ...own].join(','),
    'Service-Event-Id': event_id,
    'Service-Event-Type': signed.event_type,
    'Service-Delivery-Id': signed.delivery_id,
    'Idempotency-Key': event_id,
    'webhook-id': event_id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': standard.join(' '),
  };
}

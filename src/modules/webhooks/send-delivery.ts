/** One attempt, signed with the secrets in force. */
import { addressAllowed } from '../../kernel/ip-ranges.ts';
import { type OpenSpan, traced } from '../../kernel/tracing.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SealedPlace, SecretBox } from '../../platform/secrets.ts';
import type { AttemptResult, Sendable } from './deliveries.store.ts';
import type { ReceiverAnswer, ReceiverPort } from './ports.ts';
import { afterAttempt, isSuccess } from './rules/schedule.ts';
import { deliveryHeaders } from './rules/sign.ts';
import { secretPlace } from './secret.ts';
import type { EndpointRow } from './webhooks.rows.ts';

/** With its secrets decrypted. */
export type Target = {
  url: string;
  timeout_ms: number;
  /** Null: its list allows none of the service's addresses. */
  source_ips: readonly string[] | null;
  secret: string;
  previous: { secret: string; valid_until: Date } | null;
};

export type SendParts = { clock: Clock; receivers: ReceiverPort; secrets: SecretBox };

/** The one before the last rotation. Where no configured key opens it, the one in force signs alone. */
function openPrevious(
  { previous_sealed_secret: sealed, previous_secret_valid_until: valid_until }: EndpointRow,
  place: SealedPlace,
  secrets: SecretBox,
): Target['previous'] {
  if (sealed === null || valid_until === null) return null;
  try {
    return { secret: secrets.open(sealed, place), valid_until };
  } catch {
    return null;
  }
}

/** @throws Error when the sealing key of the secret in force is not configured */
export function openTarget(company_id: string, row: EndpointRow, { receivers, secrets }: SendParts): Target {
  const source_ips = receivers.source_ips.filter((ip) => addressAllowed(row.ip_allowlist, ip));
  const place = secretPlace(company_id, row.id);
  const is_free = row.ip_allowlist.length === 0;
  return {
    url: row.url,
    timeout_ms: row.timeout_seconds * 1000,
    source_ips: is_free ? [] : source_ips.length === 0 ? null : source_ips,
    secret: secrets.open(row.sealed_secret, place),
    previous: openPrevious(row, place, secrets),
  };
}

/** Never throws: every failure is a result. */
export async function sendDelivery(
  delivery: Sendable,
  target: Target | Error,
  { clock, receivers }: SendParts,
): Promise<AttemptResult> {
  const sent_at = clock.now();
  const attempt = { 'folio.attempt': delivery.attempt + 1 };
  const send = async (span: OpenSpan | null) => {
    const headers = target instanceof Error ? {} : headersFor(delivery, target, sent_at);
    if (span && !(target instanceof Error)) headers.traceparent = span.traceparent;
    const answer = await ask(delivery, target, headers, receivers);
    if (answer.status !== null) span?.add({ 'http.response.status_code': answer.status });
    return { answer, headers };
  };
  const { answer, headers } = await traced('send webhook', 'client', attempt, send, delivery.traceparent);
  const ended_at = clock.now();
  return {
    ...afterAttempt(delivery.attempt, answer.status, ended_at),
    delivery,
    ended_at,
    is_success: isSuccess(answer.status),
    response_status: answer.status,
    duration_ms: Math.round(answer.duration_ms),
    request_headers: headers,
    response_body: answer.body,
    error: answer.error,
  };
}

function headersFor(delivery: Sendable, target: Target, sent_at: Date): Record<string, string> {
  const { secret, previous } = target;
  return deliveryHeaders({
    delivery_id: delivery.id,
    // A ping has no event.
    event_id: delivery.event_id ?? delivery.id,
    event_type: delivery.event_type,
    body: delivery.request_body,
    sent_at,
    secrets: previous && previous.valid_until > sent_at ? [secret, previous.secret] : [secret],
  });
}

async function ask(
  delivery: Sendable,
  target: Target | Error,
  headers: Record<string, string>,
  receivers: ReceiverPort,
): Promise<ReceiverAnswer> {
  const unsent = { status: null, body: null, duration_ms: 0 };
  if (target instanceof Error)
    return { ...unsent, error: 'El secreto del punto de recepción no se puede leer.' };
  const { url, timeout_ms, source_ips } = target;
  if (source_ips === null)
    return { ...unsent, error: 'Ninguna dirección de salida del servicio está en ip_allowlist.' };
  try {
    return await receivers.send({ url, headers, body: delivery.request_body, timeout_ms, source_ips });
  } catch {
    return { ...unsent, error: 'No se pudo enviar la petición.' };
  }
}

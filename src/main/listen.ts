/**
 * `folio listen`: forwards each event of a company once to a receiver on the developer's machine. It fetches the
 * events, since the sandbox delivers none.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { newId } from '../kernel/uuid7.ts';
import { deliveryHeaders, isSubscribed, isSuccess } from '../modules/webhooks/index.ts';
import { type ApiClient, ApiFault } from './api-client.ts';
import { EventTail, type ListedEvent } from './event-tail.ts';

/** The default of an endpoint. */
const timeoutMs = 10_000;

export type ListenOptions = {
  api: ApiClient;
  forward_to: string;
  enabled_events: readonly string[];
  secret: string;
  say(line: string): void;
  /** Whether each event is told as a line of JSON. */
  as_json?: boolean;
  signal: AbortSignal;
};

/** The same for a key each time, so that a receiver is configured once. It does not reveal the key. */
export function listeningSecret(key: string): string {
  return `whsec_${createHmac('sha256', key).update('folio listen').digest('base64')}`;
}

/**
 * Forwards until the signal, and waits while the service is away.
 * @throws ApiFault for a key that may not read events
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { api, enabled_events, say, signal } = options;
  const tail = new EventTail(api);
  let has_started = false;
  let is_away = false;
  while (!signal.aborted) {
    let pause_ms = tail.pause_ms;
    try {
      if (!has_started) {
        await tail.start();
        has_started = true;
        say('Ready: waiting for events. Ctrl-C ends it.');
      }
      const events = await tail.read();
      if (is_away) say('The service is back.');
      is_away = false;
      for (const event of events) {
        if (signal.aborted) return;
        if (isSubscribed(enabled_events, event.type)) say(await forward(event, options));
      }
    } catch (error) {
      // A wrong address fails at the start.
      if (!(error instanceof ApiFault) || !error.may_pass || !has_started) throw error;
      if (!is_away) say(`${error.message} Trying again.`);
      is_away = true;
      pause_ms = Math.max(pause_ms, error.retry_after_ms);
    }
    await sleep(pause_ms, undefined, { signal }).catch(() => undefined);
  }
}

async function forward(event: ListedEvent, options: ListenOptions): Promise<string> {
  const { forward_to, secret, signal, as_json = false } = options;
  const body = JSON.stringify(event);
  const headers = deliveryHeaders({
    delivery_id: newId(),
    event_id: event.id,
    event_type: event.type,
    body,
    sent_at: new Date(),
    secrets: [secret],
  });
  const begun = performance.now();
  const line = (outcome: string, status: number | null) => {
    const at = new Date().toISOString();
    const { id, type } = event;
    if (as_json) return JSON.stringify({ at, type, id, status, outcome });
    return `${at.slice(11, 19)}  ${type}  ${id}  ${outcome}`;
  };
  try {
    const { statusCode, body: answer } = await request(forward_to, {
      method: 'POST',
      headers,
      body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal,
    });
    await answer.dump();
    const took = `${statusCode} in ${Math.round(performance.now() - begun)} ms`;
    const failure = isSuccess(statusCode) ? '' : ', a failure: only 200, 201, 202 and 204 are successes';
    return line(`${took}${failure}`, statusCode);
  } catch (error) {
    return line(`no answer (${(error as { code?: string }).code ?? (error as Error).message})`, null);
  }
}

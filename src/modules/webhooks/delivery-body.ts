/** The body of a delivery: the event as the log shows it, and whether it is a test (ADR 17). */
import { type EventRow, presentEvent } from '../events/index.ts';

export const pingType = 'webhook.ping';

/** The same bytes at each attempt. */
export function eventBody(event: EventRow, is_test: boolean): string {
  return deliveredEvent(presentEvent(event), is_test);
}

type Presented = { data: unknown; created: string; correlation_id: string | null };

/** As `eventBody`, from a presented event. */
export function deliveredEvent(event: Presented, is_test: boolean): string {
  const { data, created, correlation_id, ...head } = event;
  return JSON.stringify({ ...head, test: is_test, data, created, correlation_id });
}

export type Ping = { id: string; version: string; livemode: boolean; endpoint_id: string; now: Date };

/** A ping has no resource and is in no log. */
export function pingBody({ id, version, livemode, endpoint_id, now }: Ping): string {
  return JSON.stringify({
    id,
    object: 'event',
    type: pingType,
    aggregate_id: null,
    sequence: 1,
    api_version: version,
    livemode,
    test: false,
    data: { webhook_endpoint: { id: endpoint_id } },
    created: now.toISOString(),
    correlation_id: null,
  });
}

/** The body of a delivery is the event as the log shows it (ADR 17). */
import { type EventRow, presentEvent } from '../events/index.ts';

export const pingType = 'webhook.ping';

/** The same bytes at each attempt. */
export function eventBody(event: EventRow): string {
  return JSON.stringify(presentEvent(event));
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

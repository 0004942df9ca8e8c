export type EndpointStatus = 'enabled' | 'disabled';

export type EndpointRow = {
  id: string;
  url: string;
  description: string | null;
  enabled_events: string[];
  status: EndpointStatus;
  sealed_secret: Buffer;
  previous_sealed_secret: Buffer | null;
  previous_secret_valid_until: Date | null;
  timeout_seconds: number;
  ip_allowlist: string[];
  last_success_at: Date | null;
  failing_since: Date | null;
  consecutive_failures: number;
  created_at: Date;
  updated_at: Date;
};

export const deliveryStatuses = ['queued', 'delivered', 'failed', 'failed_permanently'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** What a list shows: a body may have 100 kB. */
export type ListedDelivery = Omit<DeliveryRow, 'request_headers' | 'request_body' | 'response_body'>;

export type DeliveryRow = {
  id: string;
  endpoint_id: string;
  /** Null for a ping. */
  event_id: string | null;
  event_type: string;
  aggregate_id: string | null;
  is_test: boolean;
  status: DeliveryStatus;
  /** Since it was queued or replayed. */
  attempt: number;
  next_attempt_at: Date | null;
  last_attempt_at: Date | null;
  response_status: number | null;
  duration_ms: number | null;
  request_headers: Record<string, string> | null;
  request_body: string | null;
  response_body: string | null;
  error: string | null;
  created_at: Date;
};

import type { Operation } from '../../kernel/operation.ts';
import { createWebhookEndpoint } from './operations/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './operations/delete-webhook-endpoint.ts';
import { disableWebhookEndpoint } from './operations/disable-webhook-endpoint.ts';
import { enableWebhookEndpoint } from './operations/enable-webhook-endpoint.ts';
import { getWebhookEndpoint } from './operations/get-webhook-endpoint.ts';
import { listWebhookEndpoints } from './operations/list-webhook-endpoints.ts';
import { listWebhookSourceIps } from './operations/list-webhook-source-ips.ts';
import { getWebhookDelivery } from './operations/get-webhook-delivery.ts';
import { listWebhookDeliveries } from './operations/list-webhook-deliveries.ts';
import { pingWebhookEndpoint } from './operations/ping-webhook-endpoint.ts';
import { replayWebhookDelivery } from './operations/replay-webhook-delivery.ts';
import { sendWebhookTestEvent } from './operations/send-webhook-test-event.ts';
import { rotateWebhookSecret } from './operations/rotate-webhook-secret.ts';
import { updateWebhookEndpoint } from './operations/update-webhook-endpoint.ts';

export { type DeliveryLoop, makeDeliveryLoop } from './delivery-loop.ts';
export type * from './ports.ts';
export { eventIssues } from './rules/endpoint-fields.ts';
export { isSuccess } from './rules/schedule.ts';
export { deliveryHeaders } from './rules/sign.ts';
export { isSubscribed } from './rules/subscription.ts';
export type * from './webhooks.rows.ts';

export const webhooksOperations: readonly Operation[] = [
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  enableWebhookEndpoint,
  disableWebhookEndpoint,
  rotateWebhookSecret,
  pingWebhookEndpoint,
  sendWebhookTestEvent,
  listWebhookDeliveries,
  getWebhookDelivery,
  replayWebhookDelivery,
  listWebhookSourceIps,
];

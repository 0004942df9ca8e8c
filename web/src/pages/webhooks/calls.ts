import type { Event } from '../../../../src/modules/events/events.schema.ts';
import type {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookEndpointInput,
  WebhookEndpointWithSecret,
} from '../../../../src/modules/webhooks/webhooks.schema.ts';
import { call, type ListQuery, type One, type Page, type Wire } from '../../app/operation.ts';

export type Endpoint = Wire<typeof WebhookEndpoint>;
export type EndpointInput = Wire<typeof WebhookEndpointInput>;
export type SecretEndpoint = Wire<typeof WebhookEndpointWithSecret>;
export type Delivery = Wire<typeof WebhookDelivery>;
export type DeliveryDetail = Wire<typeof WebhookDeliveryDetail>;
type OfEndpoint = { webhook_endpoint: string };
type OfDelivery = OfEndpoint & { delivery: string };
type TestEvent = { event: Wire<typeof Event>; delivery: Delivery | null };

export const listWebhookEndpoints = call<{ query: ListQuery; answer: Page<Endpoint> }>(
  'list_webhook_endpoints',
);
export const getWebhookEndpoint = call<{ params: OfEndpoint; answer: One<Endpoint> }>('get_webhook_endpoint');
export const createWebhookEndpoint = call<{ body: EndpointInput; answer: One<SecretEndpoint> }>(
  'create_webhook_endpoint',
);
export const updateWebhookEndpoint = call<{
  params: OfEndpoint;
  body: Partial<EndpointInput>;
  answer: One<Endpoint>;
}>('update_webhook_endpoint');
export const enableWebhookEndpoint = call<{ params: OfEndpoint; answer: One<Endpoint> }>(
  'enable_webhook_endpoint',
);
export const disableWebhookEndpoint = call<{ params: OfEndpoint; answer: One<Endpoint> }>(
  'disable_webhook_endpoint',
);
export const deleteWebhookEndpoint = call<{ params: OfEndpoint; answer: unknown }>('delete_webhook_endpoint');
export const rotateWebhookSecret = call<{ params: OfEndpoint; answer: One<SecretEndpoint> }>(
  'rotate_webhook_secret',
);
export const pingWebhookEndpoint = call<{ params: OfEndpoint; answer: One<Delivery> }>(
  'ping_webhook_endpoint',
);
export const sendWebhookTestEvent = call<{
  params: OfEndpoint;
  body: { type?: string };
  answer: One<TestEvent>;
}>('send_webhook_test_event');
export const listWebhookDeliveries = call<{
  params: OfEndpoint;
  query: ListQuery & { status?: string };
  answer: Page<Delivery>;
}>('list_webhook_deliveries');
export const getWebhookDelivery = call<{ params: OfDelivery; answer: One<DeliveryDetail> }>(
  'get_webhook_delivery',
);
export const replayWebhookDelivery = call<{ params: OfDelivery; answer: One<Delivery> }>(
  'replay_webhook_delivery',
);

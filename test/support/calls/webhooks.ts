import type { Calls } from './seed.ts';

export const webhooksCalls: Calls = {
  list_webhook_endpoints: () => ({ query: { status: 'enabled' } }),
  create_webhook_endpoint: () => ({
    body: {
      url: 'https://hooks.example.com/b',
      description: 'Contabilidad',
      enabled_events: ['invoice.*', 'payment.received'],
      timeout_seconds: 5,
      ip_allowlist: [],
    },
  }),
  get_webhook_endpoint: () => ({}),
  update_webhook_endpoint: () => ({
    body: {
      url: 'https://hooks.example.com/c',
      description: 'Contabilidad',
      enabled_events: ['*'],
      timeout_seconds: 5,
      ip_allowlist: [],
      status: 'disabled',
    },
  }),
  delete_webhook_endpoint: () => ({}),
  enable_webhook_endpoint: () => ({}),
  disable_webhook_endpoint: () => ({}),
  rotate_webhook_secret: () => ({}),
  ping_webhook_endpoint: () => ({}),
  send_webhook_test_event: () => ({ body: { type: 'invoice.paid' } }),
  list_webhook_deliveries: () => ({ query: { status: 'queued' } }),
  get_webhook_delivery: () => ({}),
  replay_webhook_delivery: () => ({}),
  list_webhook_source_ips: () => ({}),
};

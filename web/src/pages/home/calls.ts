import type { ApiKeyListItem } from '../../../../src/modules/api-keys/api-keys.schema.ts';
import type { RequestEntry } from '../../../../src/modules/audit/audit.schema.ts';
import type { VerifactuRecord } from '../../../../src/modules/verifactu/records/records.schema.ts';
import type { VerifactuConfig } from '../../../../src/modules/verifactu/settings/config.ts';
import type { WebhookEndpoint } from '../../../../src/modules/webhooks/webhooks.schema.ts';
import { call, type ListQuery, type One, type Page, type Wire } from '../../app/operation.ts';
import type { Invoice, VerifactuStats } from '../../printed/resources.ts';

type InvoiceQuery = ListQuery & { status?: string; 'status[in]'?: string };
type RequestQuery = ListQuery & { status?: number; 'created[gte]'?: string; 'created[lt]'?: string };

type RecordQuery = ListQuery & { status?: string; 'invoice_id[in]'?: string };

export type ListedRecord = Wire<typeof VerifactuRecord>;
export type RequestLog = Wire<typeof RequestEntry>;

export const listApiKeys = call<{ query: ListQuery; answer: Page<Wire<typeof ApiKeyListItem>> }>(
  'list_api_keys',
);
export const listInvoices = call<{ query: InvoiceQuery; answer: Page<Invoice> }>('list_invoices');
export const listWebhookEndpoints = call<{ query: ListQuery; answer: Page<Wire<typeof WebhookEndpoint>> }>(
  'list_webhook_endpoints',
);
export const listRequestLogs = call<{ query: RequestQuery; answer: Page<RequestLog> }>('list_request_logs');
export const getVerifactuStats = call<{ answer: One<VerifactuStats> }>('get_verifactu_stats');
export const getVerifactuConfig = call<{ answer: One<Wire<typeof VerifactuConfig>> }>('get_verifactu_config');
export const listVerifactuRecords = call<{ query: RecordQuery; answer: Page<ListedRecord> }>(
  'list_verifactu_records',
);

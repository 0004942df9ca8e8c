/** The one list of operations. The surfaces read it. */
import type { Operation } from '../kernel/operation.ts';
import { createApiKey } from './api-keys/operations/create-api-key.ts';
import { getAccount } from './api-keys/operations/get-account.ts';
import { getApiKey } from './api-keys/operations/get-api-key.ts';
import { listApiKeys } from './api-keys/operations/list-api-keys.ts';
import { revokeApiKey } from './api-keys/operations/revoke-api-key.ts';
import { rotateApiKeySecret } from './api-keys/operations/rotate-api-key-secret.ts';
import { auditOperations } from './audit/index.ts';
import { getCompany } from './companies/operations/get-company.ts';
import { updateCompany } from './companies/operations/update-company.ts';
import { contactsOperations } from './contacts/index.ts';
import { deliveryNotesOperations } from './delivery-notes/index.ts';
import { emailsOperations } from './emails/index.ts';
import { eventsOperations } from './events/index.ts';
import { integrityOperations } from './integrity/index.ts';
import { families } from './families.ts';
import { invoicesOperations } from './invoices/index.ts';
import { oauthOperations } from './oauth/index.ts';
import { priceListsOperations } from './price-lists/index.ts';
import { productsOperations } from './products/index.ts';
import { proformasOperations } from './proformas/index.ts';
import { purchaseScansOperations } from './purchase-scans/index.ts';
import { purchaseInvoicesOperations } from './purchase-invoices/index.ts';
import { quotesOperations } from './quotes/index.ts';
import { recurringInvoicesOperations } from './recurring-invoices/index.ts';
import { reopenedEvents } from './sales/index.ts';
import { sandboxOperations } from './sandbox/index.ts';
import { seriesOperations } from './series/index.ts';
import { taxesOperations } from './taxes/index.ts';
import { verifactuOperations } from './verifactu/index.ts';
import { webhooksOperations } from './webhooks/index.ts';

const operations: readonly Operation[] = [
  getAccount,
  listApiKeys,
  createApiKey,
  getApiKey,
  rotateApiKeySecret,
  revokeApiKey,
  getCompany,
  updateCompany,
  ...oauthOperations,
  ...auditOperations,
  ...eventsOperations,
  ...contactsOperations,
  ...productsOperations,
  ...priceListsOperations,
  ...taxesOperations,
  ...seriesOperations,
  ...invoicesOperations,
  ...quotesOperations,
  ...proformasOperations,
  ...recurringInvoicesOperations,
  ...deliveryNotesOperations,
  ...purchaseScansOperations,
  ...purchaseInvoicesOperations,
  ...emailsOperations,
  ...verifactuOperations,
  ...webhooksOperations,
  ...integrityOperations,
  ...sandboxOperations,
];

/** Only the list of families knows which kinds open again. */
export const catalog: readonly Operation[] = operations.map((operation) => {
  const { events, reopens } = operation;
  const more = reopens === null ? [] : reopenedEvents(families, reopens);
  return more.length === 0 ? operation : { ...operation, events: [...new Set([...events, ...more])] };
});

/** Recognises a request by what makes its total: type, lines and how prices are meant, as they were sent. */
import { createHash } from 'node:crypto';
import type { InvoiceInputBody } from '../invoices.schema.ts';

export function requestHash(body: InvoiceInputBody): string {
  const { type = 'F1', lines, prices_include_tax = false, currency = 'EUR' } = body;
  return createHash('sha256')
    .update(JSON.stringify([type, lines, prices_include_tax, currency]))
    .digest('base64');
}

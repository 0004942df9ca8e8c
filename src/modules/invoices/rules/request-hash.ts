/** Recognises a repeated request for an invoice. */
import { type HashedRequest, requestHash as hashOfRequest } from '../../../domain/sales/request-hash.ts';
import type { InvoiceInputBody } from '../invoices.schema.ts';
import type { CorrectiveLine } from './corrective-lines.ts';

/** @returns base64 of the SHA-256 of what counts */
export function requestHash(body: InvoiceInputBody): string {
  const { type = 'F1' } = body;
  return hashOfRequest(type, body.operation_on ?? body.issued_on ?? null, body as HashedRequest);
}

type HashedCorrective = {
  correction: { type: string };
  type?: string;
  lines?: readonly CorrectiveLine[];
};

/** Recognises a repeated request for a corrective. Its lines take what they do not say from the original's. */
export function correctiveHash(
  original_id: string,
  { correction, type = '', lines = [] }: HashedCorrective,
): string {
  const named = lines.map(({ original_line_id: id }) => (id === null ? 'none' : id));
  // Nothing where no line names one, as in hashes that are stored.
  const told = named.some((id) => id !== undefined) ? ` ${named.join()}` : '';
  return hashOfRequest(
    `${original_id} ${correction.type} ${type}${told}`,
    null,
    { lines },
    { inherits: true },
  );
}

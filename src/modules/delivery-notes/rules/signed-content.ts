/**
 * What is signed: the client, what is delivered, and amounts where the paper shows them. Its hash proves it later; prices that the
 * signer did not see may still change.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { trimZeros } from '../../../domain/money/printed.ts';
import type { LineRow } from '../../../domain/sales/rows.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import type { NoteBundle, NoteRow } from '../delivery-notes.rows.ts';

const plain = (text: string | null) => (text === null ? null : trimZeros(text));

type Component = { quantity: number };

/** Of a configured product or pack, without amounts. Members that a line lacks are left out. */
function chosen({ details }: LineRow) {
  const { variant, presentation, options, original_pack_data } = details ?? {};
  const components = original_pack_data?.components as readonly Component[] | undefined;
  return {
    variant,
    presentation: presentation && { ...presentation, factor: String(presentation.factor) },
    options: options?.map(({ group, value }) => ({ group, value })),
    components: components?.map((one) => ({ ...one, quantity: String(one.quantity) })),
  };
}

const delivered = (line: LineRow) => ({
  description: line.description,
  product_id: line.product_id,
  product_name: line.product_name,
  ...chosen(line),
  quantity: plain(line.quantity),
  unit: line.unit,
});

const amountsOf = (line: LineRow) => ({
  unit_price: plain(line.unit_price),
  discount_percent: plain(line.discount_percent),
  tax_kind: line.tax_kind,
  tax_rate: plain(line.tax_rate),
  surcharge_rate: plain(line.surcharge_rate),
  retention_rate: plain(line.retention_rate),
  total: plain(line.total),
});

/** With its keys in order at every depth (RFC 8785 for texts, which all values are). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

export function signedContent({ document: note, lines }: Pick<NoteBundle, 'document' | 'lines'>): string {
  const { address = null } = (note.client_snapshot ?? {}) as { address?: unknown };
  return canonical({
    client: { id: note.client_id, name: note.client_name, tax_id: note.client_tax_id, address },
    lines: lines.map((line) => ({ ...delivered(line), ...(note.show_prices ? amountsOf(line) : {}) })),
    ...(note.show_prices
      ? {
          currency: note.currency,
          prices_include_tax: note.prices_include_tax,
          subtotal: plain(note.subtotal),
          taxes_total: plain(note.taxes_total),
          total: plain(note.total),
        }
      : {}),
  });
}

/** In hexadecimal. */
export function contentHash(bundle: Pick<NoteBundle, 'document' | 'lines'>): string {
  return createHash('sha256').update(signedContent(bundle)).digest('hex');
}

/** What a signed note without prices keeps besides its lines. */
const closedKeys = [
  'client_id',
  'series_id',
  'description',
  'issued_on',
  'currency',
  'notes',
  'delivery_date',
  'delivery_address',
  'show_prices',
  'vehicle_plate',
  'driver',
  'tracking',
  'received_by',
  'billing_emails',
] as const satisfies readonly (keyof NoteRow)[];

const closed = (param: string) =>
  fail(c.invalid_status_transition, {
    param,
    values: { reason: 'el albarán está firmado, y esto ya no cambia.' },
  });

/** @throws 409 invalid_status_transition that names what is closed */
export function keepSigned(before: NoteBundle, after: NoteBundle): NoteBundle {
  const [stored, edited] = [before.document, after.document];
  const key = closedKeys.find((name) => !isDeepStrictEqual(stored[name], edited[name]));
  if (key !== undefined) throw closed(key);
  const at = after.lines.findIndex(
    (line, index) =>
      before.lines[index]?.id !== line.id ||
      !isDeepStrictEqual(
        { ...delivered(line), product_name: null },
        { ...delivered(before.lines[index]), product_name: null },
      ),
  );
  if (at >= 0) throw closed(`lines.${at}`);
  if (after.lines.length !== before.lines.length) throw closed('lines');
  // The copies of client, issuer and names of products are those that were signed.
  const { client_name, client_tax_id, client_snapshot, issuer_snapshot } = stored;
  const lines = after.lines.map((line, index) => ({
    ...line,
    product_name: before.lines[index]!.product_name,
  }));
  return {
    ...after,
    lines,
    document: { ...edited, client_name, client_tax_id, client_snapshot, issuer_snapshot },
  };
}

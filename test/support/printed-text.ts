/** Checks a PDF's Spanish text against the API's answer, without the code that prints it. */
import assert from 'node:assert/strict';

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
type Json = any;

/** 1.234,50. */
const amount = (value: number, decimals = 2) =>
  value.toLocaleString('es-ES', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: 8,
    useGrouping: 'always',
  } as Intl.NumberFormatOptions);
const percent = (value: number) => `${amount(value, 0)} %`;
const day = (text: string) => text.split('-').reverse().join('/');
const iban = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ');

/** Plain spaces only, and none before a percent sign, where some readers see none. */
export const plain = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .replace(/ %/g, '%');

const amountsIn = (text: string) => text.match(/(?<![\d.,])-?\d{1,3}(?:\.\d{3})*,\d{2}(?![\d,])/g) ?? [];

/**
 * @param invoice the API's answer, with prices without tax
 * @throws AssertionError for a missing text or a foreign amount
 */
export function assertSays(text: string, invoice: Json, { issuer }: { issuer: Json }): void {
  const read = plain(text);
  const says = (part: string, what: string) =>
    assert.ok(read.includes(plain(part)), `${what}: ${part}\n${read}`);

  says(issuer.name, 'issuer');
  says(`NIF ${issuer.tax_id}`, 'issuer');
  if (invoice.number !== null) says(invoice.number, 'number');
  if (invoice.issued_on !== null) says(day(invoice.issued_on), 'day of issue');
  if (invoice.operation_on !== null) says(day(invoice.operation_on), 'day of the operation');
  // What a credit note or a corrective by differences moves is not paid in it.
  const is_in_original =
    invoice.correction?.type === 'differences' && invoice.corrected_invoices[0].id !== null;
  if (is_in_original || invoice.amount_due <= 0) assert.ok(!read.includes('Vencimiento'), read);
  else if (invoice.due_on !== null) says(day(invoice.due_on), 'due day');
  if (invoice.notes !== null) says(invoice.notes, 'notes');
  if (invoice.client !== null) {
    const { name, tax_id, address } = invoice.client;
    for (const part of [name, tax_id, address?.line1, address?.postal_code, address?.city])
      if (part) says(part, 'client');
  }
  for (const { number, issued_on } of invoice.corrected_invoices) {
    says(number, 'the invoice that it corrects');
    says(day(issued_on), 'the invoice that it corrects');
  }

  // Each line is complete before the next begins.
  let from = 0;
  for (const [i, line] of invoice.lines.entries()) {
    const start = read.indexOf(plain(line.description), from);
    assert.ok(start >= 0, `line ${i}: ${line.description}\n${read.slice(from)}`);
    from = start + plain(line.description).length;
    const next = invoice.lines[i + 1];
    const end = next ? read.indexOf(plain(next.description), from) : read.length;
    const own = read.slice(from, end < 0 ? read.length : end);
    const parts = [
      amount(line.quantity, 0),
      amount(line.unit_price),
      amount(line.subtotal),
      ...(line.unit ? [line.unit] : []),
      ...(line.discount_percent ? [percent(line.discount_percent)] : []),
      ...(line.tax_rate === null ? [] : [percent(line.tax_rate)]),
      ...(line.exemption_reason === null ? [] : ['Exenta']),
    ];
    for (const part of parts.map(plain))
      assert.ok(own.includes(part), `line ${i} (${line.description}): ${part} in ${own}`);
  }

  const taxes = invoice.tax_breakdown.flatMap((row: Json) => [
    row.base,
    ...(row.tax_rate === null ? [] : [row.tax]),
    ...(row.surcharge === 0 ? [] : [row.surcharge]),
  ]);
  const sums = [
    invoice.subtotal,
    invoice.taxes_total,
    invoice.total,
    ...(invoice.discount_total === 0
      ? []
      : [invoice.subtotal + invoice.discount_total, -invoice.discount_total]),
    ...(invoice.surcharge_total === 0 ? [] : [invoice.surcharge_total]),
    ...(invoice.retention_total === 0 ? [] : [-invoice.retention_total, invoice.amount_due]),
  ];
  for (const value of [...taxes, ...sums]) says(amount(value), 'an amount of the invoice');
  for (const row of invoice.tax_breakdown) if (row.tax_rate !== null) says(percent(row.tax_rate), 'a rate');

  // No amounts but those of lines, taxes, totals and sums carried between pages.
  let carried = 0;
  const lines = invoice.lines.flatMap((line: Json) => {
    carried = Math.round((carried + line.subtotal) * 100) / 100;
    return [line.unit_price, line.subtotal, line.quantity, carried];
  });
  const known = new Set([...lines, ...taxes, ...sums].map((value) => amount(value)));
  const others = amountsIn(read).filter((one) => !known.has(one) && !invoice.notes?.includes(one));
  assert.deepEqual(others, [], 'amounts that are not of the invoice');

  if (invoice.verifactu?.qr_url) {
    says('QR tributario:', 'above the QR');
    if (invoice.verifactu.legend !== null) says('VERI*FACTU', 'below the QR');
  }
  if (issuer.iban && read.includes('IBAN')) says(iban(issuer.iban), 'IBAN');
}

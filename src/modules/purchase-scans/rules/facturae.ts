/**
 * An electronic invoice in the form Facturae 3.2, 3.2.1 or 3.2.2 (Orden HAP/1650/2015). Its signature is kept with the file; it
 * is not checked here.
 */
import {
  type Amount,
  amountLimits,
  amountText,
  type Cents,
  parseAmount,
  powerOfTen,
  roundLine,
  roundTotal,
} from '../../../domain/money/amount.ts';
import { parseSpanishTaxId } from '../../../domain/spain/tax-id.ts';
import { parseVatId } from '../../../domain/spain/vat-id.ts';
import { isCalendarDay } from '../../../kernel/dates.ts';
import type { ScanReading } from '../ports.ts';
import type { ScanField } from '../purchase-scans.schema.ts';
import {
  cents,
  centsText,
  isNumber,
  otherTaxOf,
  plainText,
  type ReadCorrected,
  type ReadLine,
  type ReadPaper,
  type ReadPurchase,
  type ReadTax,
  reconciles,
  saysCashAccounting,
} from './read-purchase.ts';

export type XmlElement = {
  readonly name: string;
  readonly namespace: string;
  readonly content: string;
  readonly children: readonly XmlElement[];
};

/** 3.2, 3.2.1 and 3.2.2. */
const namespaces: ReadonlySet<string> = new Set([
  'http://www.facturae.es/Facturae/2009/v3.2/Facturae',
  'http://www.facturae.es/Facturae/2014/v3.2.1/Facturae',
  'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml',
]);

export function isFacturae({ name, namespace }: XmlElement): boolean {
  return name === 'Facturae' && namespaces.has(namespace);
}

const all = (element: XmlElement | undefined, name: string) =>
  element?.children.filter((child) => child.name === name) ?? [];

function at(element: XmlElement | undefined, path: string): XmlElement | undefined {
  let found = element;
  for (const name of path.split('/')) found = found?.children.find((child) => child.name === name);
  return found;
}

function textAt(element: XmlElement | undefined, path: string): string | null {
  const text = at(element, path)?.content.trim() ?? '';
  return text === '' ? null : text;
}

const linesMax = 500;
const textMax = 500;

/** What stands in the way of a proposal. */
class NotProposed extends Error {}

function need<T>(value: T | null | undefined, why: string): T {
  if (value === null || value === undefined) throw new NotProposed(why);
  return value;
}

const many = 'El archivo lleva varias facturas: súbalas por separado.';
const none = 'El archivo no lleva ninguna factura.';
const noSum = 'Los totales de la factura no cuadran con sus líneas.';

const reverseCharge =
  'La factura lleva inversión del sujeto pasivo, y el impuesto es de quien la recibe: regístrela a mano.';

/** Of the totals of the form: what changes the amount to pay, and has no place in a purchase. */
const besides: readonly (readonly [path: string, warning: string])[] = [
  [
    'ReimbursableExpenses',
    'La factura lleva suplidos, que no están en el total propuesto: regístrelos aparte.',
  ],
  ['PaymentsOnAccount', 'La factura descuenta anticipos ya pagados: regístrelos como pagos.'],
  ['AmountsWithheld', 'La factura retiene una cantidad en garantía: se paga menos que el total propuesto.'],
  ['Subsidies', 'La factura descuenta subvenciones: se paga menos que el total propuesto.'],
  ['PaymentInKind', 'La factura descuenta un pago en especie: se paga menos que el total propuesto.'],
  [
    'TotalFinancialExpenses',
    'La factura lleva gastos financieros, que no están en el total propuesto: regístrelos aparte.',
  ],
];
const otherPayable =
  'El total a ejecutar de la factura no es el que resulta de sus importes: compruebe cuánto se paga.';
const inFull =
  'La rectificativa es íntegra (método 01): sus importes sustituyen a los de la factura rectificada, y propuestos así se suman a ellos.';

function warningsOf(invoice: XmlElement): string[] {
  const found = besides.flatMap(([name, warning]) => {
    const element = at(invoice, `InvoiceTotals/${name}`);
    return element && !isOfNothing(element) ? warning : [];
  });
  if (found.length === 0 && !isPayableTotal(invoice)) found.push(otherPayable);
  const is_in_full =
    isCorrective(invoice) && textAt(invoice, 'InvoiceHeader/Corrective/CorrectionMethod') === '01';
  return is_in_full ? [...found, inFull] : found;
}

const amountsOf = (element: XmlElement): readonly XmlElement[] =>
  element.children.length === 0
    ? [element]
    : element.children.flatMap(amountsOf).filter(({ name }) => name.endsWith('Amount'));

/** Some programs write each total of the form, with zero where they have none. */
function isOfNothing(element: XmlElement): boolean {
  const amounts = amountsOf(element);
  return amounts.length > 0 && amounts.every((amount) => amountOfText(amount.content.trim())?.units === 0n);
}

/** Without anything besides, what is to be paid is the total less what is withheld as tax. */
function isPayableTotal(invoice: XmlElement): boolean {
  const totals = at(invoice, 'InvoiceTotals');
  return (
    textAt(totals, 'TotalExecutableAmount') === null ||
    roundedAt(totals, 'TotalExecutableAmount') === centsAt(totals, 'InvoiceTotal')
  );
}

export function readFacturae(root: XmlElement): ScanReading {
  const invoices = all(at(root, 'Invoices'), 'Invoice');
  const [invoice] = invoices;
  const fields = fieldsOf(root, invoice);
  const read = (): Pick<ScanReading, 'purchase' | 'warnings'> => {
    if (!invoice) throw new NotProposed(none);
    if (invoices.length > 1) throw new NotProposed(many);
    return { purchase: purchaseOf(root, invoice), warnings: warningsOf(invoice) };
  };
  try {
    return { method: 'facturae', fields, pages: null, ...read() };
  } catch (error) {
    if (!(error instanceof NotProposed)) throw error;
    const paper = paperOf(root, invoices.length === 1 ? invoice : undefined);
    return { method: 'facturae', fields, warnings: [error.message], pages: null, purchase: null, paper };
  }
}

const nameOf = (party: XmlElement | undefined) =>
  textAt(party, 'LegalEntity/CorporateName') ??
  (['Individual/Name', 'Individual/FirstSurname', 'Individual/SecondSurname']
    .flatMap((path) => textAt(party, path) ?? [])
    .join(' ') ||
    null);

const taxIdPath = 'TaxIdentification/TaxIdentificationNumber';

function fieldsOf(root: XmlElement, invoice: XmlElement | undefined): ScanField[] {
  const [seller, buyer] = [at(root, 'Parties/SellerParty'), at(root, 'Parties/BuyerParty')];
  const found: Record<string, string | null> = {
    schema_version: textAt(root, 'FileHeader/SchemaVersion'),
    supplier_tax_id: textAt(seller, taxIdPath),
    supplier_name: nameOf(seller),
    recipient_tax_id: textAt(buyer, taxIdPath),
    recipient_name: nameOf(buyer),
    number: numberOf(at(invoice, 'InvoiceHeader')),
    issued_on: textAt(invoice, 'InvoiceIssueData/IssueDate'),
    operation_on: textAt(invoice, 'InvoiceIssueData/OperationDate'),
    currency: textAt(invoice, 'InvoiceIssueData/InvoiceCurrencyCode'),
    base: textAt(invoice, 'InvoiceTotals/TotalGrossAmountBeforeTaxes'),
    taxes: textAt(invoice, 'InvoiceTotals/TotalTaxOutputs'),
    retention: textAt(invoice, 'InvoiceTotals/TotalTaxesWithheld'),
    amount_due: textAt(invoice, 'InvoiceTotals/InvoiceTotal'),
  };
  return Object.entries(found).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value: plainText(value, textMax), page: null }],
  );
}

/**
 * Series and number are one number here, as the supplier prints them.
 * @param header of the invoice, or what it says of the one that it corrects
 */
function numberOf(header: XmlElement | undefined): string | null {
  const number = textAt(header, 'InvoiceNumber');
  const series = textAt(header, 'InvoiceSeriesCode');
  if (number === null) return null;
  return plainText(series === null || number.startsWith(series) ? number : `${series}${number}`, textMax);
}

const dayOf = (text: string | null) => (text !== null && isCalendarDay(text) ? text : null);

function paperOf(root: XmlElement, invoice: XmlElement | undefined): ReadPaper {
  const stated_id = textAt(root, `Parties/SellerParty/${taxIdPath}`);
  const buyer_id = textAt(root, `Parties/BuyerParty/${taxIdPath}`);
  const number = numberOf(at(invoice, 'InvoiceHeader'));
  return {
    supplier_tax_ids: stated_id === null ? [] : [spanish(stated_id) ?? plainText(stated_id, textMax)],
    supplier_vat_id:
      stated_id === null ? null : (parseVatId(stated_id.replace(/[\s.-]/g, ''))?.value ?? null),
    issuer_tax_id: null,
    buyer_tax_id: buyer_id === null ? null : (spanish(buyer_id) ?? plainText(buyer_id, textMax)),
    number: number !== null && isNumber(number) ? number : null,
  };
}

function isCorrective(invoice: XmlElement): boolean {
  const document_class = textAt(invoice, 'InvoiceHeader/InvoiceClass');
  return document_class === 'OR' || document_class === 'CR';
}

function correctedBy(invoice: XmlElement): ReadCorrected | null {
  const corrective = isCorrective(invoice) ? at(invoice, 'InvoiceHeader/Corrective') : undefined;
  const number = numberOf(corrective);
  if (number === null || !isNumber(number)) return null;
  return { number, issued_on: dayOf(textAt(corrective, 'InvoiceIssueDate')) };
}

/** RD 1619/2012, art. 7.2: with the buyer's number and address, and the tax apart, a simplified one is deducted too. */
function namesRecipient(root: XmlElement, taxes: readonly ReadTax[]): boolean {
  const buyer = at(root, 'Parties/BuyerParty');
  const address = ['LegalEntity', 'Individual'].some((kind) =>
    ['AddressInSpain', 'OverseasAddress'].some((where) => textAt(buyer, `${kind}/${where}/Address`) !== null),
  );
  return address && taxes.length > 0 && textAt(buyer, taxIdPath) !== null;
}

function purchaseOf(root: XmlElement, invoice: XmlElement): ReadPurchase {
  const total = totalOf(invoice);
  const lines = linesOf(invoice);
  const taxes = taxesOf(invoice);
  checkSums(invoice, lines, taxes, total);
  const other = otherTaxOf(taxes);
  if (other) throw new NotProposed(other);
  const mentions = mentionsOf(invoice);
  // The form has no code for it: issuers write rate 0 or an exemption.
  if (lines.some(isUntaxed) && mentions.some((text) => /inversi[óo]n (?:del )?sujeto pasivo/i.test(text)))
    throw new NotProposed(reverseCharge);
  return {
    ...paperOf(root, invoice),
    kind: isCorrective(invoice)
      ? 'corrective'
      : textAt(invoice, 'InvoiceHeader/InvoiceDocumentType') === 'FA'
        ? 'simplified'
        : 'invoice',
    corrects: correctedBy(invoice),
    has_recipient_data: namesRecipient(root, taxes),
    cash_accounting: mentions.some(saysCashAccounting),
    issued_on: dayOf(textAt(invoice, 'InvoiceIssueData/IssueDate')),
    operation_on: dayOf(textAt(invoice, 'InvoiceIssueData/OperationDate')),
    due_on: dueDay(invoice),
    currency: textAt(invoice, 'InvoiceIssueData/InvoiceCurrencyCode') ?? 'EUR',
    lines,
    taxes,
    total: centsText(total),
  };
}

/** Often as for trade between states, with `ES` before it. */
function spanish(text: string): string | undefined {
  const plain = text.replace(/[\s.-]/g, '').toUpperCase();
  return (
    parseSpanishTaxId(plain) ?? (plain.startsWith('ES') ? parseSpanishTaxId(plain.slice(2)) : undefined)
  )?.value;
}

function dueDay(invoice: XmlElement): string | null {
  const days = all(at(invoice, 'PaymentDetails'), 'Installment').flatMap(
    (one) => dayOf(textAt(one, 'InstallmentDueDate')) ?? [],
  );
  return days.length === 1 ? days[0]! : null;
}

function amountAt(element: XmlElement | undefined, path: string): Amount | undefined {
  const text = textAt(element, path);
  return text === null ? undefined : amountOfText(text);
}

/** Amounts of the form may have up to eight decimals. */
const amountOfText = (text: string) => parseAmount(text.replace(/^\+/, ''), { decimals: 8 });

function centsAt(element: XmlElement | undefined, path: string): Cents | undefined {
  const amount = amountAt(element, path);
  return amount && cents(amountText(amount));
}

/** `InvoiceTotal` is less what is withheld; a purchase's total is not. */
function totalOf(invoice: XmlElement): Cents {
  const base = need(centsAt(invoice, 'InvoiceTotals/TotalGrossAmountBeforeTaxes'), noSum);
  const taxes = need(centsAt(invoice, 'InvoiceTotals/TotalTaxOutputs'), noSum);
  const withheld = need(centsAt(invoice, 'InvoiceTotals/TotalTaxesWithheld'), noSum);
  const due = need(centsAt(invoice, 'InvoiceTotals/InvoiceTotal'), noSum);
  if (base + taxes - withheld !== due) throw new NotProposed(noSum);
  return base + taxes;
}

const taxKinds: Readonly<Record<string, ReadTax['tax_kind']>> = { '01': 'vat', '02': 'ipsi', '03': 'igic' };

const rateText = (amount: Amount) =>
  amount.units < 0n ||
  amount.units > 100n * powerOfTen(amount.scale) ||
  parseAmount(amountText(amount), amountLimits.rate) === undefined
    ? undefined
    : amountText(amount);

function taxesOf(invoice: XmlElement): ReadTax[] {
  return all(at(invoice, 'TaxesOutputs'), 'Tax').flatMap((tax): ReadTax[] => {
    const tax_kind = need(
      taxKinds[textAt(tax, 'TaxTypeCode') ?? ''],
      'La factura lleva un impuesto que no se registra así.',
    );
    const rate = need(amountAt(tax, 'TaxRate'), noSum);
    const surcharge = centsAt(tax, 'EquivalenceSurchargeAmount') ?? 0n;
    if (surcharge !== 0n)
      throw new NotProposed('La factura lleva recargo de equivalencia: regístrela a mano.');
    const base = need(centsAt(tax, 'TaxableBase/TotalAmount'), noSum);
    const amount = centsAt(tax, 'TaxAmount/TotalAmount') ?? 0n;
    if (rate.units === 0n && amount === 0n) return [];
    const tax_rate = need(rateText(rate), noSum);
    return [{ tax_kind, tax_rate, base: centsText(base), tax: centsText(amount) }];
  });
}

function linesOf(invoice: XmlElement): ReadLine[] {
  const found = all(at(invoice, 'Items'), 'InvoiceLine');
  if (found.length === 0 || found.length > linesMax)
    throw new NotProposed(`La factura tiene ${found.length} líneas.`);
  if (at(invoice, 'InvoiceTotals/GeneralDiscounts') || at(invoice, 'InvoiceTotals/GeneralSurcharges'))
    throw new NotProposed('La factura lleva descuentos o cargos generales: regístrela a mano.');
  const withheld = withheldRate(invoice);
  return found.map((line) => lineOf(line, withheld));
}

/** On the income of persons (IRPF), of those who are not resident, and of companies. */
const retentionCodes: ReadonlySet<string> = new Set(['04', '28', '29']);

/** One retention of all lines. */
function withheldRate(invoice: XmlElement): string | null {
  const found = all(at(invoice, 'TaxesWithheld'), 'Tax');
  const withheld = centsAt(invoice, 'InvoiceTotals/TotalTaxesWithheld');
  if (found.length === 0) {
    if (withheld !== 0n) throw new NotProposed(noSum);
    return null;
  }
  const [tax] = found;
  const rate = amountAt(tax, 'TaxRate');
  const base = centsAt(tax, 'TaxableBase/TotalAmount');
  if (found.length > 1 || !rate || base !== centsAt(invoice, 'InvoiceTotals/TotalGrossAmountBeforeTaxes'))
    throw new NotProposed('La factura lleva una retención que no es de todas sus líneas: regístrela a mano.');
  // Some withhold a guarantee here. It is no payment of a tax, and would be declared as one.
  if (!retentionCodes.has(textAt(tax, 'TaxTypeCode') ?? ''))
    throw new NotProposed('La factura retiene algo que no es un impuesto sobre la renta: regístrela a mano.');
  if (withheld !== roundTotal(base!, rate) || withheld !== centsAt(tax, 'TaxAmount/TotalAmount'))
    throw new NotProposed(noSum);
  return need(rateText(rate), noSum);
}

function lineOf(line: XmlElement, retention_rate: string | null): ReadLine {
  const gross = need(centsAt(line, 'GrossAmount') ?? roundedAt(line, 'GrossAmount'), noSum);
  const taxes = all(at(line, 'TaxesOutputs'), 'Tax');
  if (taxes.length !== 1) throw new NotProposed('Una línea lleva varios impuestos: regístrela a mano.');
  const tax_kind = need(
    taxKinds[textAt(taxes[0], 'TaxTypeCode') ?? ''],
    'La factura lleva un impuesto que no se registra así.',
  );
  const rate = need(rateText(need(amountAt(taxes[0], 'TaxRate'), noSum)), noSum);
  const event = textAt(line, 'SpecialTaxableEvent/SpecialTaxableEventCode');
  if (event === '02') throw new NotProposed('Una línea no está sujeta al impuesto: regístrela a mano.');
  const is_exempt = event === '01';
  return {
    description: plainText(textAt(line, 'ItemDescription') ?? '', textMax) || 'Sin descripción',
    ...quantityOf(line, gross),
    tax_kind,
    tax_rate: is_exempt ? null : rate,
    retention_rate,
  };
}

const roundedAt = (line: XmlElement | undefined, path: string): Cents | undefined => {
  const amount = amountAt(line, path);
  return amount && roundLine({ units: 1n, scale: 0 }, amount, null);
};

/** Quantity and price where they give the amount of the line; else the amount alone, as with a discount or a charge. */
function quantityOf(line: XmlElement, gross: Cents): Pick<ReadLine, 'quantity' | 'unit_price'> {
  const [quantity, price] = [amountAt(line, 'Quantity'), amountAt(line, 'UnitPriceWithoutTax')];
  const fits =
    quantity &&
    price &&
    parseAmount(amountText(quantity), { ...amountLimits.quantity, significant_digits: 15 }) &&
    parseAmount(amountText(price), amountLimits.unit_price) &&
    roundLine(quantity, price, null) === gross;
  return fits
    ? { quantity: amountText(quantity), unit_price: amountText(price) }
    : { quantity: '1', unit_price: centsText(gross) };
}

function amountOf({ quantity, unit_price }: ReadLine): Cents {
  const [count, price] = [
    parseAmount(quantity, amountLimits.quantity),
    parseAmount(unit_price, amountLimits.unit_price),
  ];
  return roundLine(need(count, noSum), need(price, noSum), null);
}

const isUntaxed = ({ tax_rate }: ReadLine) => tax_rate === null || Number(tax_rate) === 0;

/** Where issuers write what the law wants said of an operation (RD 1619/2012, art. 6.1.m and p). */
function mentionsOf(invoice: XmlElement): string[] {
  const said = [
    ...all(at(invoice, 'LegalLiterals'), 'LegalReference'),
    ...all(at(invoice, 'AdditionalData'), 'InvoiceAdditionalInformation'),
    ...all(at(invoice, 'Items'), 'InvoiceLine').flatMap((line) => [
      ...all(at(line, 'SpecialTaxableEvent'), 'SpecialTaxableEventReason'),
      ...all(line, 'AdditionalLineItemInformation'),
    ]),
  ];
  return said.map(({ content }) => content.normalize('NFC').replace(/\s+/g, ' '));
}

/** Lines give the bases of the taxes, and these the total. */
function checkSums(
  invoice: XmlElement,
  lines: readonly ReadLine[],
  taxes: readonly ReadTax[],
  total: Cents,
): void {
  const bases = new Map<string, Cents>();
  let [sum, untaxed] = [0n, 0n];
  for (const line of lines) {
    const amount = amountOf(line);
    sum += amount;
    if (isUntaxed(line)) untaxed += amount;
    else bases.set(keyOf(line), (bases.get(keyOf(line)) ?? 0n) + amount);
  }
  const stated = new Map(taxes.map((tax) => [keyOf(tax), cents(tax.base)]));
  const is_same =
    stated.size === taxes.length &&
    stated.size === bases.size &&
    [...bases].every(([key, base]) => stated.get(key) === base);
  const before = centsAt(invoice, 'InvoiceTotals/TotalGrossAmountBeforeTaxes');
  if (sum !== before || !is_same || !reconciles(taxes, { untaxed, total, lines: lines.length }))
    throw new NotProposed(noSum);
}

const keyOf = ({ tax_kind, tax_rate }: { tax_kind: string; tax_rate: string | null }) =>
  `${tax_kind} ${Number(tax_rate)}`;

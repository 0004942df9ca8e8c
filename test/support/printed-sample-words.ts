import type { PrintedLanguage } from '../../src/domain/printing/printed-document.ts';

export type SampleWords = {
  title: string;
  simplified: string;
  corrective: string;
  issuer: string;
  client: string;
  tax_id: string;
  issued_on: string;
  due_on: string;
  operation_on: string;
  columns: { description: string; quantity: string; unit_price: string; discount: string; tax: string };
  amount: string;
  forward: string;
  brought: string;
  breakdown: string;
  base: string;
  rate: string;
  tax: string;
  surcharge: string;
  total: string;
  retention: string;
  amount_due: string;
  payment: string;
  method: string;
  transfer: string;
  notes: string;
  draft: string;
  annulled: string;
  page: string;
};

export const sampleWords: Record<PrintedLanguage, SampleWords> = {
  es: {
    title: 'Factura',
    simplified: 'Factura simplificada',
    corrective: 'Factura rectificativa',
    issuer: 'Emisor',
    client: 'Cliente',
    tax_id: 'NIF',
    issued_on: 'Fecha de expedición',
    due_on: 'Vencimiento',
    operation_on: 'Fecha de operación',
    columns: {
      description: 'Descripción',
      quantity: 'Cantidad',
      unit_price: 'Precio',
      discount: 'Dto.',
      tax: 'Impuesto',
    },
    amount: 'Importe',
    forward: 'Suma y sigue',
    brought: 'Suma anterior',
    breakdown: 'Desglose de impuestos',
    base: 'Base imponible',
    rate: 'Tipo',
    tax: 'Cuota',
    surcharge: 'Recargo',
    total: 'Total',
    retention: 'Retención IRPF',
    amount_due: 'Total a pagar',
    payment: 'Forma de pago',
    method: 'Medio',
    transfer: 'Transferencia',
    notes: 'Observaciones',
    draft: 'BORRADOR',
    annulled: 'ANULADA',
    page: 'Página {page} de {pages}',
  },
  ca: {
    title: 'Factura',
    simplified: 'Factura simplificada',
    corrective: 'Factura rectificativa',
    issuer: 'Emissor',
    client: 'Client',
    tax_id: 'NIF',
    issued_on: 'Data d’expedició',
    due_on: 'Venciment',
    operation_on: 'Data d’operació',
    columns: {
      description: 'Descripció',
      quantity: 'Quantitat',
      unit_price: 'Preu',
      discount: 'Dte.',
      tax: 'Impost',
    },
    amount: 'Import',
    forward: 'Suma i segueix',
    brought: 'Suma anterior',
    breakdown: 'Desglossament d’impostos',
    base: 'Base imposable',
    rate: 'Tipus',
    tax: 'Quota',
    surcharge: 'Recàrrec',
    total: 'Total',
    retention: 'Retenció IRPF',
    amount_due: 'Total a pagar',
    payment: 'Forma de pagament',
    method: 'Mitjà',
    transfer: 'Transferència',
    notes: 'Observacions',
    draft: 'ESBORRANY',
    annulled: 'ANUL·LADA',
    page: 'Pàgina {page} de {pages}',
  },
  eu: {
    title: 'Faktura',
    simplified: 'Faktura sinplifikatua',
    corrective: 'Faktura zuzentzailea',
    issuer: 'Igorlea',
    client: 'Bezeroa',
    tax_id: 'IFZ',
    issued_on: 'Jaulkipen-data',
    due_on: 'Mugaeguna',
    operation_on: 'Eragiketaren data',
    columns: {
      description: 'Deskribapena',
      quantity: 'Kopurua',
      unit_price: 'Prezioa',
      discount: 'Desk.',
      tax: 'Zerga',
    },
    amount: 'Zenbatekoa',
    forward: 'Batura eta jarraitzen du',
    brought: 'Aurreko batura',
    breakdown: 'Zergen banakapena',
    base: 'Zerga-oinarria',
    rate: 'Tasa',
    tax: 'Kuota',
    surcharge: 'Errekargua',
    total: 'Guztira',
    retention: 'PFEZ atxikipena',
    amount_due: 'Ordaintzeko guztira',
    payment: 'Ordainketa',
    method: 'Ordainbidea',
    transfer: 'Transferentzia',
    notes: 'Oharrak',
    draft: 'ZIRRIBORROA',
    annulled: 'BALIOGABETUA',
    page: '{page}. orria / {pages}',
  },
  gl: {
    title: 'Factura',
    simplified: 'Factura simplificada',
    corrective: 'Factura rectificativa',
    issuer: 'Emisor',
    client: 'Cliente',
    tax_id: 'NIF',
    issued_on: 'Data de expedición',
    due_on: 'Vencemento',
    operation_on: 'Data da operación',
    columns: {
      description: 'Descrición',
      quantity: 'Cantidade',
      unit_price: 'Prezo',
      discount: 'Dto.',
      tax: 'Imposto',
    },
    amount: 'Importe',
    forward: 'Suma e segue',
    brought: 'Suma anterior',
    breakdown: 'Desagregación de impostos',
    base: 'Base impoñible',
    rate: 'Tipo',
    tax: 'Cota',
    surcharge: 'Recarga',
    total: 'Total',
    retention: 'Retención IRPF',
    amount_due: 'Total a pagar',
    payment: 'Forma de pagamento',
    method: 'Medio',
    transfer: 'Transferencia',
    notes: 'Observacións',
    draft: 'BORRADOR',
    annulled: 'ANULADA',
    page: 'Páxina {page} de {pages}',
  },
  en: {
    title: 'Invoice',
    simplified: 'Simplified invoice',
    corrective: 'Corrective invoice',
    issuer: 'From',
    client: 'Bill to',
    tax_id: 'Tax ID',
    issued_on: 'Date of issue',
    due_on: 'Due date',
    operation_on: 'Date of supply',
    columns: {
      description: 'Description',
      quantity: 'Quantity',
      unit_price: 'Unit price',
      discount: 'Disc.',
      tax: 'Tax',
    },
    amount: 'Amount',
    forward: 'Carried forward',
    brought: 'Brought forward',
    breakdown: 'Tax breakdown',
    base: 'Taxable base',
    rate: 'Rate',
    tax: 'Tax',
    surcharge: 'Surcharge',
    total: 'Total',
    retention: 'Withholding (IRPF)',
    amount_due: 'Amount due',
    payment: 'Payment',
    method: 'Method',
    transfer: 'Bank transfer',
    notes: 'Notes',
    draft: 'DRAFT',
    annulled: 'ANNULLED',
    page: 'Page {page} of {pages}',
  },
};

/** @returns `1.234,56 €`; in English `€1,234.56` */
export function sampleMoney(cents: number, language: PrintedLanguage): string {
  const sign = cents < 0 ? '-' : '';
  const whole = Math.trunc(Math.abs(cents) / 100).toString();
  const decimals = (Math.abs(cents) % 100).toString().padStart(2, '0');
  const english = language === 'en';
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, english ? ',' : '.');
  return english ? `${sign}€${grouped}.${decimals}` : `${sign}${grouped},${decimals}\u00a0€`;
}

/** @returns `5,2 %`; `% 5,2` in Basque; `5.2%` in English */
export function sampleRate(hundredths: number, language: PrintedLanguage): string {
  const text = (hundredths / 100).toString();
  if (language === 'en') return `${text}%`;
  const comma = text.replace('.', ',');
  return language === 'eu' ? `%\u00a0${comma}` : `${comma}\u00a0%`;
}

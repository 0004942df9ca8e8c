/** Electronic invoices in the three forms of Facturae 3.2. All names are invented. */
import { Buffer } from 'node:buffer';

const namespaces = {
  '3.2': 'http://www.facturae.es/Facturae/2009/v3.2/Facturae',
  '3.2.1': 'http://www.facturae.es/Facturae/2014/v3.2.1/Facturae',
  '3.2.2': 'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml',
} as const;

export type FacturaeVersion = keyof typeof namespaces;

type Sold = {
  description: string;
  quantity: string;
  price: string;
  gross: string;
  rate: string;
  special?: string;
};

export type FacturaeSample = {
  version?: FacturaeVersion;
  seller?: string;
  buyer?: string;
  number?: string;
  /** OO is an original. */
  invoice_class?: string;
  sold?: readonly Sold[];
  taxes?: readonly { rate: string; base: string; tax: string }[];
  /** Without a code it is of IRPF. */
  withheld?: { rate: string; base: string; tax: string; code?: string };
  /** When left out, that of `withheld`. */
  withheld_total?: string;
  gross?: string;
  outputs?: string;
  due?: string;
  /** What is to be paid; when left out, what is due. */
  payable?: string;
  is_signed?: boolean;
  currency?: string;
  before?: string;
  /** FA is a simplified one. */
  document_type?: string;
  /** Elements after the class. */
  corrective?: string;
  /** Elements after the total. */
  besides?: string;
};

const tax = ({ rate, base, tax: amount }: { rate: string; base: string; tax: string }, code = '01') =>
  `<Tax><TaxTypeCode>${code}</TaxTypeCode><TaxRate>${rate}</TaxRate><TaxableBase><TotalAmount>${base}</TotalAmount></TaxableBase><TaxAmount><TotalAmount>${amount}</TotalAmount></TaxAmount></Tax>`;

const party = (id: string, name: string) =>
  `<TaxIdentification><PersonTypeCode>J</PersonTypeCode><ResidenceTypeCode>R</ResidenceTypeCode><TaxIdentificationNumber>${id}</TaxIdentificationNumber></TaxIdentification><LegalEntity><CorporateName>${name}</CorporateName><AddressInSpain><Address>Calle Mayor, 1</Address><PostCode>28001</PostCode><Town>Madrid</Town><Province>Madrid</Province><CountryCode>ESP</CountryCode></AddressInSpain></LegalEntity>`;

const line = ({ description, quantity, price, gross, rate, special }: Sold) =>
  `<InvoiceLine><ItemDescription>${description}</ItemDescription><Quantity>${quantity}</Quantity><UnitOfMeasure>01</UnitOfMeasure><UnitPriceWithoutTax>${price}</UnitPriceWithoutTax><TotalCost>${gross}</TotalCost><GrossAmount>${gross}</GrossAmount><TaxesOutputs>${tax({ rate, base: gross, tax: '0.00' })}</TaxesOutputs>${special === undefined ? '' : `<SpecialTaxableEvent><SpecialTaxableEventCode>${special}</SpecialTaxableEventCode><SpecialTaxableEventReason>Por ley</SpecialTaxableEventReason></SpecialTaxableEvent>`}</InvoiceLine>`;

/** Only its shape: readers do not check it. */
const signature =
  '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Id="S"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/></ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature>';

export function facturae({
  version = '3.2.2',
  currency = 'EUR',
  seller = 'B12345674',
  buyer = 'A58818501',
  number = '2026/17',
  invoice_class = 'OO',
  sold = [
    { description: 'Resmas de papel', quantity: '10.0', price: '12.500000', gross: '125.00', rate: '21.00' },
    { description: 'Libros', quantity: '3.0', price: '20.000000', gross: '60.00', rate: '4.00' },
  ],
  taxes = [
    { rate: '21.00', base: '125.00', tax: '26.25' },
    { rate: '4.00', base: '60.00', tax: '2.40' },
  ],
  withheld,
  withheld_total = withheld?.tax ?? '0.00',
  gross = '185.00',
  outputs = '28.65',
  due = '213.65',
  payable = due,
  is_signed = false,
  before = '',
  document_type = 'FC',
  corrective = '',
  besides = '',
}: FacturaeSample = {}): Buffer {
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>${before}<fe:Facturae xmlns:fe="${namespaces[version]}">` +
      `<FileHeader><SchemaVersion>${version}</SchemaVersion><Modality>I</Modality><InvoiceIssuerType>EM</InvoiceIssuerType></FileHeader>` +
      `<Parties><SellerParty>${party(seller, 'Papelera Sur, S. L.')}</SellerParty><BuyerParty>${party(buyer, 'La Compradora, S. A.')}</BuyerParty></Parties>` +
      `<Invoices><Invoice><InvoiceHeader><InvoiceNumber>${number}</InvoiceNumber><InvoiceDocumentType>${document_type}</InvoiceDocumentType><InvoiceClass>${invoice_class}</InvoiceClass>${corrective}</InvoiceHeader>` +
      `<InvoiceIssueData><IssueDate>2026-03-12</IssueDate><InvoiceCurrencyCode>${currency}</InvoiceCurrencyCode><TaxCurrencyCode>EUR</TaxCurrencyCode><LanguageName>es</LanguageName></InvoiceIssueData>` +
      `<TaxesOutputs>${taxes.map((one) => tax(one)).join('')}</TaxesOutputs>` +
      (withheld ? `<TaxesWithheld>${tax(withheld, withheld.code ?? '04')}</TaxesWithheld>` : '') +
      `<InvoiceTotals><TotalGrossAmount>${gross}</TotalGrossAmount><TotalGrossAmountBeforeTaxes>${gross}</TotalGrossAmountBeforeTaxes><TotalTaxOutputs>${outputs}</TotalTaxOutputs><TotalTaxesWithheld>${withheld_total}</TotalTaxesWithheld><InvoiceTotal>${due}</InvoiceTotal>${besides}<TotalOutstandingAmount>${due}</TotalOutstandingAmount><TotalExecutableAmount>${payable}</TotalExecutableAmount></InvoiceTotals>` +
      `<Items>${sold.map(line).join('')}</Items></Invoice></Invoices>${is_signed ? signature : ''}</fe:Facturae>`,
  );
}

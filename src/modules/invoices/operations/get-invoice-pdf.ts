/** The PDF of an invoice, printed after the transaction: no connection is held while it is made. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type AfterCommit, defineOperation, type Handled } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { FileContent, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { PdfFormat, type PdfToPrint, pdfHeaders, pdfOf, pdfTag } from '../../pdfs/index.ts';
import { invoiceDocument } from '../invoice-document.ts';

export const getInvoicePdf = defineOperation({
  name: 'get_invoice_pdf',
  method: 'GET',
  path: '/v1/invoices/:invoice/pdf',
  scope: 'pdfs:read',
  also_scopes: ['invoices:read'],
  tag: 'invoices',
  summary: 'Descarga el PDF de una factura.',
  description:
    'En hoja A4 o en rollo de 80 o 58 mm. Un borrador y una factura anulada llevan una marca que lo dice. La ETag cambia con el formato y con lo que se imprime, por ejemplo cuando se crea el registro de facturación.',
  transaction: 'read',
  mcp: false,
  params: Shape({ invoice: Uuid }),
  query: Shape({ format: Type.Optional(PdfFormat) }),
  output_media_type: 'application/pdf',
  output: FileContent,
  errors: [c.resource_not_found],
  examples: [{ title: 'En A4' }],

  prefetch: (tx, company_id, { params }) => invoiceDocument.find(tx, company_id, params.invoice),

  async handle({ ports }, { query: { format = 'a4' } }, printable) {
    if (!printable) throw fail(c.resource_not_found, { param: 'invoice' });
    const tag = pdfTag(ports, printable, format);
    const to_print: PdfToPrint = { printable, format, tag };
    return { body: to_print, headers: pdfHeaders(printable, tag) };
  },

  async after_commit(ctx: AfterCommit, answer: Handled<unknown>) {
    const { printable, format, tag } = answer.body as PdfToPrint;
    const { bytes, is_final } = await pdfOf(ctx, printable, format, tag);
    // The tag is of the PDF as it is to be: what is not final may not be taken for it.
    const { ETag: _, ...untagged } = answer.headers ?? {};
    return is_final ? { ...answer, body: bytes } : { ...answer, headers: untagged, body: bytes };
  },
});

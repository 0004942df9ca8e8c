/** The address of an invoice's PDF for those who have no key: a browser, a customer, another program. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Timestamp, Type, Uuid } from '../../../kernel/schema.ts';
import { PdfFormat, pdfLink } from '../../pdfs/index.ts';
import { findInvoice } from '../invoices.store.ts';

export const getInvoicePdfLink = defineOperation({
  name: 'get_invoice_pdf_link',
  method: 'GET',
  path: '/v1/invoices/:invoice/pdf-link',
  scope: 'pdfs:read',
  also_scopes: ['invoices:read'],
  tag: 'invoices',
  summary: 'Da una dirección que abre el PDF de una factura sin clave.',
  description:
    'La dirección sirve 24 horas y abre el documento tal como esté entonces. Quien la tenga puede descargarlo.',
  transaction: 'read',
  mcp: true,
  params: Shape({ invoice: Uuid }),
  query: Shape({ format: Type.Optional(PdfFormat) }),
  output: One(Type.Object({ url: Type.String(), expires_at: Timestamp })),
  errors: [c.resource_not_found],
  examples: [{ title: 'En rollo de 80 mm', query: { format: 'ticket_80' } }],

  prefetch: (tx, company_id, { params }) => findInvoice(tx, company_id, params.invoice),

  async handle({ ports, company: { company_id }, realNow }, { query: { format = 'a4' } }, invoice) {
    if (!invoice) throw fail(c.resource_not_found, { param: 'invoice' });
    return { data: pdfLink(ports, { company_id, kind: 'invoice', id: invoice.id }, format, realNow()) };
  },
});

/** Lists invoices, newest first unless `sort` says otherwise. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import {
  pageAnswer,
  pageParameters,
  rangeParameters,
  readPage,
  sortParameter,
} from '../../../kernel/page.ts';
import { DayText, Enum, Page, Shape, Text, Timestamp, Type, Uuid } from '../../../kernel/schema.ts';
import { Invoice, present } from '../invoices.schema.ts';
import { invoiceSorts, listInvoices as listRows } from '../invoices.list.ts';
import { withParts } from '../invoices.store.ts';
import { invoiceTypes } from '../rules/invoice-types.ts';
import { invoiceStatuses } from '../rules/states.ts';

const sorts = ['created', ...Object.keys(invoiceSorts)];

export const listInvoices = defineOperation({
  name: 'list_invoices',
  method: 'GET',
  path: '/v1/invoices',
  scope: 'invoices:read',
  tag: 'invoices',
  summary: 'Lista las facturas.',
  transaction: 'read',
  mcp: true,
  query: Shape({
    q: Type.Optional(
      Text(100, {
        minLength: 3,
        description: 'Texto libre en el número, el nombre y el NIF del cliente; 3 caracteres o más',
      }),
    ),
    status: Type.Optional(Enum(invoiceStatuses)),
    'status[in]': Type.Optional(
      Text(200, {
        pattern: `^(${invoiceStatuses.join('|')})(,(${invoiceStatuses.join('|')}))*$`,
        description: 'Varios estados, separados por comas',
      }),
    ),
    type: Type.Optional(Enum(invoiceTypes)),
    client_id: Type.Optional(Uuid),
    series_id: Type.Optional(Uuid),
    number: Type.Optional(Text(60)),
    external_id: Type.Optional(Text(255)),
    tag: Type.Optional(Text(40)),
    ...rangeParameters('issued_on', DayText),
    ...rangeParameters('due_on', DayText),
    ...rangeParameters('created', Timestamp),
    ...rangeParameters('total', Text(20, { pattern: '^-?[0-9]{1,12}([.][0-9]{1,2})?$' })),
    ...pageParameters,
    ...sortParameter(sorts),
  }),
  output: Page(Invoice),
  errors: [c.parameter_invalid_cursor],
  examples: [{ title: 'Las dos de mayor importe', query: { sort: '-total', limit: '2' } }],

  async handle(ctx, { query }) {
    const { tx, caller } = ctx;
    const page = readPage(query, sorts);
    const rows = await listRows(tx, caller.company_id, page, query);
    const kept = rows.slice(0, page.limit);
    const bundles = await withParts(tx, caller.company_id, kept);
    const byId = new Map(bundles.map((bundle) => [bundle.invoice.id, bundle]));
    return pageAnswer(rows, page, (row) => present(byId.get(row.id)!, ctx));
  },
});

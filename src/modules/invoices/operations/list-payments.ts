import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { DayText, Described, Moment, Text, Type, Uuid } from '../../../kernel/schema.ts';
import {
  listPaymentRows,
  Payment,
  PaymentMethodName,
  paymentSorts,
  presentPayment,
} from '../../payments/index.ts';
import { paymentOfClients } from '../client-account.store.ts';

export const listPayments = defineList({
  name: 'list_payments',
  path: '/v1/payments',
  scope: 'invoices:read',
  tag: 'payments',
  summary: 'Lista los cobros de todas las facturas.',
  description:
    'Responde una página de cobros, también los anulados; los más recientes primero, si sort no dice otra cosa. Los filtros se suman: solo salen los que los cumplen todos. Para la página siguiente se repite la llamada con starting_after y el next_cursor de la respuesta, mientras has_more sea true. Los cobros se anotan con register_invoice_payment y se anulan con reverse_invoice_payment.',
  mcp: true,
  sorts: ['created', ...Object.keys(paymentSorts)],
  filters: {
    invoice_id: Type.Optional(Described(Uuid, 'Id de la factura cobrada')),
    client_id: Type.Optional(Described(Uuid, 'Id del cliente de la factura')),
    payment_method: Type.Optional(PaymentMethodName),
    external_id: Type.Optional(Text(255, { description: 'Clave del cobro en su programa' })),
    is_reversed: Type.Optional(
      Type.Boolean({ description: 'true: solo los anulados; false: solo los que cuentan' }),
    ),
    ...rangeParameters('payment_date', DayText, 'Fecha del cobro'),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: Payment,
  examples: [
    {
      title: 'Los de noviembre que cuentan',
      query: {
        'payment_date[gte]': '2026-11-01',
        'payment_date[lte]': '2026-11-30',
        is_reversed: 'false',
      },
    },
  ],

  async list({ tx, caller: { company_id } }, { query, page }) {
    const rows = await listPaymentRows(tx, company_id, page, query, (ids) => paymentOfClients(tx, ids));
    return pageAnswer(rows, page, presentPayment);
  },
});

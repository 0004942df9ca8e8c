/** Invoices and payments of a client in order, with the running balance. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { fail } from '../../../kernel/problem.ts';
import {
  DayText,
  Described,
  Enum,
  Money,
  Nullable,
  Shape,
  Text,
  Type,
  Uuid,
} from '../../../kernel/schema.ts';
import { PaymentMethodName } from '../../payments/index.ts';
import { accountOf } from '../client-account.ts';
import { readStatement, type StatementRow } from '../client-account.store.ts';
import { invoiceTypes } from '../rules/invoice-types.ts';

const Entry = Type.Object({
  object: Type.Literal('statement_entry'),
  id: Described(Uuid, 'Id de la factura o del cobro'),
  date: Described(DayText, 'Fecha de expedición o del cobro, YYYY-MM-DD'),
  type: Enum(['invoice', 'payment'], { description: 'Una factura (también rectificativa) o un cobro' }),
  invoice: Type.Object(
    {
      id: Described(Uuid, 'Id de la factura'),
      number: Type.String({ description: 'Su número' }),
      type: Enum(invoiceTypes, { description: 'Su tipo' }),
    },
    { description: 'La factura, o aquella a la que corresponde el cobro' },
  ),
  payment_method: Described(Nullable(PaymentMethodName), 'Forma de pago; null si es una factura'),
  currency: Type.String({ description: 'Moneda ISO 4217' }),
  amount: Described(
    Money,
    'Lo que suma a lo que debe el cliente: un cobro resta, y una factura que sustituye a otras suma solo la diferencia, y la completa a nombre de otro resta lo que quedaba de las simplificadas del cliente',
  ),
  balance: Described(Money, 'Lo que debe el cliente en esa moneda después de este movimiento'),
});

const present = (row: StatementRow) => ({
  object: 'statement_entry',
  id: row.id,
  date: row.day,
  type: row.kind,
  invoice: { id: row.invoice_id, number: row.number, type: row.type },
  payment_method: row.payment_method,
  currency: row.currency,
  amount: Number(row.amount),
  balance: Number(row.balance),
});

export const getClientStatement = defineList({
  name: 'get_client_statement',
  path: '/v1/clients/:client/statement',
  scope: 'invoices:read',
  also_scopes: ['contacts:read'],
  tag: 'clients',
  summary: 'Da el extracto de un cliente.',
  description:
    'Responde una página de las facturas del cliente y sus cobros, del más antiguo al más reciente, con el saldo después de cada uno en su moneda. Sale también la completa (F3) a nombre de otro que sustituye a simplificadas del cliente, y resta lo que quedaba por cobrar de ellas. No salen los borradores, las facturas anuladas o invalidadas ni los cobros anulados, así que el último saldo es el pending de get_client_balance. Los filtros no cambian los saldos. De un cliente con más de 50.000 facturas o cobros no se calcula (business_rule_violation).',
  mcp: true,
  params: Shape({ client: Described(Uuid, 'Id del cliente') }),
  filters: {
    currency: Type.Optional(Text(3, { pattern: '^[A-Z]{3}$', description: 'Moneda ISO 4217' })),
    ...rangeParameters('date', DayText, 'Fecha'),
  },
  item: Entry,
  errors: [c.resource_not_found, c.business_rule_violation],
  examples: [{ title: 'Desde enero', query: { 'date[gte]': '2026-01-01' } }],

  async list(ctx, { params, query, page }) {
    const { tx, caller } = ctx;
    const { id } = await accountOf(ctx, params.client);
    const rows = await readStatement(tx, caller.company_id, id, page, query);
    if (rows !== 'no such cursor') return pageAnswer(rows, page, present);
    const param = page.cursor?.direction === 'before' ? 'ending_before' : 'starting_after';
    throw fail(c.parameter_invalid_cursor, { param });
  },
});

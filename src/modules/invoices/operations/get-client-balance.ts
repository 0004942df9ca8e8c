/** What a client owes, by currency. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { DayText, Described, Money, One, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { accountOf } from '../client-account.ts';
import { readBalances } from '../client-account.store.ts';

const Balance = Type.Object({
  currency: Type.String({ description: 'Moneda ISO 4217, en la que están los importes' }),
  invoiced: Described(Money, 'Lo facturado que hay que pagar, con sus rectificativas y sin retenciones'),
  paid: Described(Money, 'Lo cobrado, sin los cobros anulados'),
  pending: Described(Money, 'invoiced menos paid; negativo si se debe al cliente'),
  overdue: Described(Money, 'La parte de pending de facturas cuyo vencimiento ha pasado'),
});

export const getClientBalance = defineOperation({
  name: 'get_client_balance',
  method: 'GET',
  path: '/v1/clients/:client/balance',
  scope: 'invoices:read',
  also_scopes: ['contacts:read'],
  tag: 'clients',
  summary: 'Dice lo que debe un cliente.',
  description:
    'Responde, por moneda, lo facturado al cliente, lo cobrado, lo pendiente y lo vencido. Cuentan las facturas emitidas a su nombre y sus rectificativas; no cuentan los borradores, las facturas anuladas o invalidadas ni los cobros anulados, y lo que se sustituye cuenta una vez. De un cliente con más de 50.000 facturas o cobros no se calcula (business_rule_violation). Documento a documento lo da get_client_statement.',
  transaction: 'read',
  mcp: true,
  params: Shape({ client: Described(Uuid, 'Id del cliente') }),
  output: One(
    Type.Object({
      object: Type.Literal('client_balance'),
      id: Described(Uuid, 'Id del cliente'),
      client: Type.Object(
        { id: Described(Uuid, 'Id del cliente'), name: Type.String({ description: 'Su nombre' }) },
        { description: 'El cliente' },
      ),
      as_of: Described(DayText, 'Día en que se calcula, YYYY-MM-DD'),
      balances: Type.Array(Balance, { description: 'Una por moneda; vacía si no se le ha facturado' }),
    }),
  ),
  errors: [c.resource_not_found, c.business_rule_violation],

  async handle(ctx, { params }) {
    const { tx, caller, today } = ctx;
    const { id, name } = await accountOf(ctx, params.client);
    const rows = await readBalances(tx, caller.company_id, id, today);
    const balances = rows.map(({ currency, ...amounts }) => ({
      currency,
      invoiced: Number(amounts.invoiced),
      paid: Number(amounts.paid),
      pending: Number(amounts.pending),
      overdue: Number(amounts.overdue),
    }));
    return { data: { object: 'client_balance', id, client: { id, name }, as_of: today, balances } };
  },
});

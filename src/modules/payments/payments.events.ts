/** Operations of invoices emit these events. */
import { Enum, Type } from '../../kernel/schema.ts';
import {
  defineEvents,
  type Made,
  makePaidTicket,
  post,
  Reference,
  type TriggerApi,
} from '../events/index.ts';
import { ReversalReasonName } from './paid.ts';
import { ReversedPayment } from './payments.schema.ts';

async function reversePayment(api: TriggerApi): Promise<void> {
  const invoice = await makePaidTicket(api);
  const { detail } = invoice.payments as { detail: Made[] };
  const path = `/v1/invoices/${invoice.id}/payments/${detail[0]?.id}/reversal`;
  await post(api, path, { reason: 'direct_debit_return' });
}

export const paymentsEvents = defineEvents({
  'payment.received': {
    data: Type.Object({ payment: Reference, invoice: Reference }),
    trigger: makePaidTicket,
  },
  'payment.reversed': {
    data: Type.Object({
      type: Type.Literal('payment'),
      object: ReversedPayment,
      reversal: Type.Object({
        reason: ReversalReasonName,
        origin: Enum(['gateway', 'manual'], {
          description: 'gateway: lo comunicó el proveedor de pago; manual: lo registró una persona',
        }),
      }),
    }),
    trigger: reversePayment,
  },
});

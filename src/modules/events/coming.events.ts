/** Nothing emits these events yet. Whoever builds their module moves them to its `<module>.events.ts`. */
import { Type, Uuid } from '../../kernel/schema.ts';
import { defineEvents } from './define-events.ts';

const Snapshot = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'El recurso completo, como era al emitirse el evento',
});

const rule = { object: Snapshot };
const order = {
  object: Snapshot,
  store: Type.Object({ uuid: Uuid, provider: Type.String() }),
  order: Type.Object({ external_id: Type.String() }),
};

export const comingEvents = defineEvents({
  'automation_rule.activated': { data: Type.Object(rule) },
  'automation_rule.paused': { data: Type.Object(rule) },
  'automation_rule.auto_paused': { data: Type.Object({ ...rule, consecutive_failures: Type.Integer() }) },
  'automation_run.started': { data: Type.Object(rule) },
  'automation_run.completed': { data: Type.Object(rule) },
  'automation_run.failed': { data: Type.Object(rule) },
  'automation_run.step_dead_lettered': {
    data: Type.Object({
      ...rule,
      step_index: Type.Integer({ minimum: 0, description: 'Posición en data.object.steps, desde cero' }),
      discard_reason: Type.String(),
    }),
  },
  'order.invoiced': { data: Type.Object(order) },
  'order.refunded': {
    data: Type.Object({
      ...order,
      refund: Type.Object({ scope: Type.String(), reason_code: Type.String() }),
    }),
  },
});

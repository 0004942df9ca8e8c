/**
 * What `data` of each event holds (specification, section 6, "Event object" and "Event-specific payloads"): a thin
 * reference by the kind of resource, unless it is listed here. The schemas that receivers get, the example of a test
 * event and the check of every event that a test emits are made from this.
 */
import { Enum, type TObject, type TSchema, Type, Uuid } from '../../kernel/schema.ts';
import { ReversedPayment, ReversalReasonName } from '../payments/index.ts';
import type { EventName } from './event-catalog.data.ts';

const Reference = Type.Object({ id: Uuid });

/** A resource as it was when the event was emitted. */
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

/** Events that say more than which resource it was. */
const richer: { readonly [name in EventName]?: TObject } = {
  'invoice.email_sent': Type.Object({ invoice: Reference, email: Reference }),
  'invoice.email_failed': Type.Object({ invoice: Reference, email: Reference }),
  'invoice.payment_reminder_sent': Type.Object({ invoice: Reference, email: Reference }),
  'invoice.rectified': Type.Object({ invoice: Reference, corrective: Reference }),
  'invoice.simplified_substituted': Type.Object({ invoice: Reference, substitute: Reference }),
  'series.number_consumed': Type.Object({ series: Reference, invoice: Reference }),
  'payment.received': Type.Object({ payment: Reference, invoice: Reference }),
  'payment.reversed': Type.Object({
    type: Type.Literal('payment'),
    object: ReversedPayment,
    reversal: Type.Object({
      reason: ReversalReasonName,
      origin: Enum(['gateway', 'manual'], {
        description: 'gateway: lo comunicó el proveedor de pago; manual: lo registró una persona',
      }),
    }),
  }),
  'automation_rule.activated': Type.Object(rule),
  'automation_rule.paused': Type.Object(rule),
  'automation_rule.auto_paused': Type.Object({ ...rule, consecutive_failures: Type.Integer() }),
  'automation_run.started': Type.Object(rule),
  'automation_run.completed': Type.Object(rule),
  'automation_run.failed': Type.Object(rule),
  'automation_run.step_dead_lettered': Type.Object({
    ...rule,
    step_index: Type.Integer({ minimum: 0, description: 'Posición en data.object.steps, desde cero' }),
    discard_reason: Type.String(),
  }),
  'order.invoiced': Type.Object(order),
  'order.refunded': Type.Object({
    ...order,
    refund: Type.Object({ scope: Type.String(), reason_code: Type.String() }),
  }),
};

/** The schema of `data` of an event. */
export function eventData(name: EventName): TObject {
  return richer[name] ?? Type.Object({ [name.slice(0, name.indexOf('.'))]: Reference });
}

type Node = {
  const?: unknown;
  enum?: unknown[];
  nullable?: boolean;
  type?: string;
  format?: string;
  properties?: Record<string, Node>;
};

/**
 * Data as an event of this name could have it, for a test event: every id is the one given, every instant `now`.
 * @param id of the resource; there need not be one
 */
export function sampleEventData(name: EventName, id: string, now: Date): Record<string, unknown> {
  return sampleOf(eventData(name), id, now) as Record<string, unknown>;
}

function sampleOf(schema: TSchema, id: string, now: Date): unknown {
  const node = schema as Node;
  if (node.nullable) return null;
  if ('const' in node) return node.const;
  if (node.enum) return node.enum[0];
  if (node.type === 'object') {
    const members = Object.entries(node.properties ?? {});
    return Object.fromEntries(members.map(([key, member]) => [key, sampleOf(member as TSchema, id, now)]));
  }
  if (node.type === 'boolean') return false;
  if (node.type === 'integer' || node.type === 'number') return 0;
  const texts: Record<string, string> = {
    uuid: id,
    instant: now.toISOString(),
    day: now.toISOString().slice(0, 10),
  };
  return texts[node.format ?? ''] ?? '';
}

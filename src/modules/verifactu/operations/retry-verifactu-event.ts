import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { presentLogged, presentPending, VerifactuEvent } from '../event-log/event-log.schema.ts';
import { findLogged } from '../event-log/event-log.reads.ts';
import { logPendingEvents, retriesMax } from '../event-log/pending-events.ts';
import { countAttempt, findPendingEvent } from '../event-log/pending-events.store.ts';
import { verifactuErrors as e } from '../verifactu.errors.ts';

export const retryVerifactuEvent = defineOperation({
  name: 'retry_verifactu_event',
  method: 'POST',
  path: '/v1/verifactu/events/:event/retry',
  scope: 'verifactu:write',
  tag: 'verifactu',
  summary: 'Reintenta la firma de un evento que espera.',
  description: `Vuelve a intentar la firma de un evento que espera, y la de los que ocurrieron antes que él. Responde el evento: \`logged\` si se ha firmado, y si no \`pending\` con el motivo en \`last_error\`. Se admiten ${retriesMax} reintentos de cada evento (max_retries_exceeded); el servicio sigue intentándolo cada hora. Uno ya firmado se rechaza (invalid_status_transition).`,
  transaction: 'own',
  status: 200,
  mcp: true,
  params: Shape({ event: Described(Uuid, 'Id del evento') }),
  output: One(VerifactuEvent),
  errors: [c.resource_not_found, c.invalid_status_transition, e.max_retries_exceeded],
  examples: [{ title: 'Reintentar' }],

  async handle(ctx, { params }) {
    const { tx, company, audit } = ctx;
    const { company_id } = company;
    const waiting = await findPendingEvent(tx, company_id, params.event);
    if (!waiting) {
      if (await findLogged(tx, company_id, params.event)) {
        const values = { reason: 'el evento ya está registrado.' };
        throw fail(c.invalid_status_transition, { param: 'event', values });
      }
      throw fail(c.resource_not_found, { param: 'event' });
    }
    if (waiting.attempts >= retriesMax) throw fail(e.max_retries_exceeded, { param: 'event' });
    const error = await logPendingEvents(ctx);
    if (error !== null) await countAttempt(tx, company_id, params.event, error);
    audit({ action: 'verifactu.event_retried', object: 'verifactu_event', object_id: params.event });
    const [logged, pending] = await Promise.all([
      findLogged(tx, company_id, params.event),
      findPendingEvent(tx, company_id, params.event),
    ]);
    if (logged) return { data: presentLogged(logged) };
    if (pending) return { data: presentPending(pending) };
    throw new Error('An event that waited is nowhere.');
  },
});

import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { presentLogged, presentPending, VerifactuEvent } from '../event-log/event-log.schema.ts';
import { findLogged } from '../event-log/event-log.reads.ts';
import { findPendingEvent } from '../event-log/pending-events.store.ts';

export const getVerifactuEvent = defineOperation({
  name: 'get_verifactu_event',
  method: 'GET',
  path: '/v1/verifactu/events/:event',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Consulta un evento del modo no verificable.',
  description:
    'Responde un evento del modo no verificable: de qué tipo es, cuándo ocurrió, su huella y su lugar en la cadena; o, si espera a que se pueda firmar, por qué. Si el id no es de ninguno de la empresa, responde resource_not_found. Uno que espera se reintenta con retry_verifactu_event.',
  transaction: 'read',
  company_row: 'issuing_heads',
  mcp: true,
  params: Shape({ event: Described(Uuid, 'Id del evento') }),
  output: One(VerifactuEvent),
  errors: [c.resource_not_found],
  examples: [{ title: 'Un evento' }],

  async handle({ tx, company }, { params }) {
    const [logged, pending] = await Promise.all([
      findLogged(tx, company.company_id, params.event),
      findPendingEvent(tx, company.company_id, params.event),
    ]);
    if (logged) return { data: presentLogged(logged) };
    if (pending) return { data: presentPending(pending) };
    throw fail(c.resource_not_found, { param: 'event' });
  },
});

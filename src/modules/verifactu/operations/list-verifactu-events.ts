import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Enum, Moment, Type } from '../../../kernel/schema.ts';
import { eventStates, presentLogged, presentPending, VerifactuEvent } from '../event-log/event-log.schema.ts';
import { eventTypes } from '../record.ts';
import { listLogged, listPending } from '../event-log/event-log.reads.ts';

export const listVerifactuEvents = defineList({
  name: 'list_verifactu_events',
  path: '/v1/verifactu/events',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Lista el registro de eventos del modo no verificable.',
  description:
    'Responde una página del registro de eventos que la ley pide en modo no verificable: inicio y fin, comprobaciones, anomalías, exportaciones y resúmenes, lo más reciente primero. Con status a pending salen los que esperan a que se puedan firmar. Uno que espera se reintenta con retry_verifactu_event.',
  mcp: true,
  sorts: ['created'],
  filters: {
    type: Type.Optional(
      Enum(eventTypes, {
        description:
          'Tipo, en la numeración de la Agencia Tributaria: 01 inicio y 02 fin del modo, 03 y 05 comprobación de registros y de eventos, 04 y 06 anomalías en ellos, 07 restauración de una copia, 08 y 09 exportación de registros y de eventos, 10 resumen, 90 otros',
      }),
    ),
    status: Type.Optional(
      Enum(eventStates, {
        description: 'pending: los que esperan a que se puedan firmar; logged si se omite',
      }),
    ),
    ...rangeParameters('occurred', Moment, 'Ocurrido'),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  // The two states are two lists.
  single: ['status'],
  item: VerifactuEvent,
  examples: [{ title: 'Los resúmenes', query: { type: '10', limit: '10' } }],

  async list({ tx, company }, { query, page }) {
    const { company_id } = company;
    return query.status === 'pending'
      ? pageAnswer(await listPending(tx, company_id, page, query), page, presentPending)
      : pageAnswer(await listLogged(tx, company_id, page, query), page, presentLogged);
  },
});

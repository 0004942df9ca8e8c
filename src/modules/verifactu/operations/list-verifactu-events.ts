/** Lists the log of events of no-verifactu mode, newest first; or what waits to be signed and enter it. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import {
  pageAnswer,
  pageParameters,
  rangeParameters,
  readPage,
  sortParameter,
} from '../../../kernel/page.ts';
import { Enum, Page, Shape, Timestamp, Type } from '../../../kernel/schema.ts';
import { eventStates, presentLogged, presentPending, VerifactuEvent } from '../events.schema.ts';
import { eventTypes } from '../record.ts';
import { listLogged, listPending } from '../events.store.ts';

export const listVerifactuEvents = defineOperation({
  name: 'list_verifactu_events',
  method: 'GET',
  path: '/v1/verifactu/events',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Lista el registro de eventos del modo no verificable.',
  transaction: 'read',
  mcp: true,
  query: Shape({
    type: Type.Optional(Enum(eventTypes)),
    status: Type.Optional(
      Enum(eventStates, {
        description: 'pending: los que esperan a que se puedan firmar; logged si se omite',
      }),
    ),
    ...rangeParameters('occurred', Timestamp),
    ...pageParameters,
    ...sortParameter(['created']),
  }),
  output: Page(VerifactuEvent),
  errors: [c.parameter_invalid_cursor],
  examples: [{ title: 'Los resúmenes', query: { type: '10', limit: '10' } }],

  async handle({ tx, company }, { query }) {
    const page = readPage(query);
    const { company_id } = company;
    return query.status === 'pending'
      ? pageAnswer(await listPending(tx, company_id, page, query), page, presentPending)
      : pageAnswer(await listLogged(tx, company_id, page, query), page, presentLogged);
  },
});

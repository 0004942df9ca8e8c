/** Lists the company's request log. Entries appear shortly after their answers and are kept for 30 days. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { pageAnswer, pageParameters, rangeParameters, readPage } from '../../../kernel/page.ts';
import { Page, Shape, Text, Timestamp, Type } from '../../../kernel/schema.ts';
import { presentRequest, RequestEntry } from '../audit.schema.ts';
import { listRequests } from '../audit.store.ts';

export const listRequestLogs = defineOperation({
  name: 'list_request_logs',
  method: 'GET',
  path: '/v1/request-logs',
  scope: 'developers:read',
  tag: 'developers',
  summary: 'Lista las peticiones recibidas.',
  description:
    'Responde una página de las llamadas que ha recibido la API de la empresa, las más recientes primero: operación, respuesta, error y duración. Aparecen poco después de responderse y se guardan 30 días. No guardan lo que se envió ni lo que se respondió.',
  transaction: 'read',
  mcp: true,
  query: Shape({
    status: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 599,
        description: 'Código HTTP de la respuesta, por ejemplo 422',
      }),
    ),
    method: Type.Optional(Text(10, { description: 'Método HTTP en mayúsculas, por ejemplo POST' })),
    request_id: Type.Optional(Text(60, { description: 'Id de la llamada, el request_id de su respuesta' })),
    error_code: Type.Optional(Text(100, { description: 'Código del error, por ejemplo parameter_invalid' })),
    ...rangeParameters('created', Timestamp),
    ...pageParameters,
  }),
  output: Page(RequestEntry),
  errors: [c.parameter_invalid_cursor],
  examples: [{ title: 'Las últimas', query: { limit: '2' } }],

  async handle({ tx, caller }, { query }) {
    const page = readPage(query);
    const rows = await listRequests(tx, caller.company_id, page, query);
    return pageAnswer(rows, page, presentRequest);
  },
});

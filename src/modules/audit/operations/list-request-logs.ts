/** Lists the request log of the company. Entries are written shortly after their answers and kept for thirty days. */
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
  transaction: 'read',
  mcp: true,
  query: Shape({
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
    method: Type.Optional(Text(10)),
    request_id: Type.Optional(Text(60)),
    error_code: Type.Optional(Text(100)),
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

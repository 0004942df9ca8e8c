import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Described, Moment, Text, Type, Uuid } from '../../../kernel/schema.ts';
import { presentRequest, RequestEntry } from '../audit.schema.ts';
import { listRequests } from '../audit.store.ts';

/** Methods are stored in capitals, and asked for as people write them. */
function inCapitals<Q extends Record<string, unknown>>(query: Q): Q {
  const asked = ['method', 'method[in]'].flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' ? [[name, value.toUpperCase()]] : [];
  });
  return { ...query, ...Object.fromEntries(asked) };
}

export const listRequestLogs = defineList({
  name: 'list_request_logs',
  path: '/v1/request-logs',
  scope: 'developers:read',
  tag: 'developers',
  summary: 'Lista las peticiones recibidas.',
  description:
    'Responde una página de las llamadas que ha recibido la API de la empresa, las más recientes primero: operación, respuesta, error y duración. Aparecen poco después de responderse y se guardan 30 días. No guardan lo que se envió ni lo que se respondió. La causa de un rechazo se busca con request_id o error_code; lo que hizo una clave o una aplicación, con actor_id; lo que ha cambiado en la empresa lo dice list_events.',
  mcp: true,
  filters: {
    operation: Type.Optional(
      Text(100, { description: 'Nombre de la operación llamada, por ejemplo create_invoice' }),
    ),
    actor_id: Type.Optional(Described(Uuid, 'Id de la clave o del acceso OAuth que llamó')),
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
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: RequestEntry,
  examples: [{ title: 'Las últimas', query: { limit: '2' } }],

  async list({ tx, caller }, { query, page }) {
    const rows = await listRequests(tx, caller.company_id, page, inCapitals(query));
    return pageAnswer(rows, page, presentRequest);
  },
});

import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, FileContent, Shape, Uuid } from '../../../kernel/schema.ts';
import { findLogged } from '../event-log/event-log.reads.ts';

export const getVerifactuEventXml = defineOperation({
  name: 'get_verifactu_event_xml',
  method: 'GET',
  path: '/v1/verifactu/events/:event/xml',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Descarga el XML exacto de un evento del modo no verificable.',
  description:
    'Responde el fichero XML tal como se firmó: sobre él se comprueban la huella y la firma. Un evento que aún espera a que se pueda firmar no lo tiene, y responde resource_not_found.',
  transaction: 'read',
  mcp: false,
  params: Shape({ event: Described(Uuid, 'Id del evento') }),
  output_media_type: 'application/xml',
  output: FileContent,
  errors: [c.resource_not_found],

  prefetch: (tx, company_id, { params }) => findLogged(tx, company_id, params.event),

  async handle(_ctx, _input, row) {
    if (!row) throw fail(c.resource_not_found, { param: 'event' });
    return {
      body: row.xml,
      tag: `"${row.id}"`,
      file: { name: `evento-${row.position}-${row.type}.xml`, is_attachment: true },
    };
  },
});

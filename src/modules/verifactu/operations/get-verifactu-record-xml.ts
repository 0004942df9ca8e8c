import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, FileContent, Shape, Uuid } from '../../../kernel/schema.ts';
import { findRecordText } from '../records/records.reads.ts';

export const getVerifactuRecordXml = defineOperation({
  name: 'get_verifactu_record_xml',
  method: 'GET',
  path: '/v1/verifactu/records/:record/xml',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Descarga el XML exacto de un registro de facturación.',
  description:
    'Responde el fichero XML tal como se generó, se firmó (en modo no verificable) y se envía: sobre él se comprueban la huella y la firma. No cambia nunca.',
  transaction: 'read',
  mcp: false,
  params: Shape({ record: Described(Uuid, 'Id del registro') }),
  output_media_type: 'application/xml',
  output: FileContent,
  errors: [c.resource_not_found],
  examples: [{ title: 'El XML de un registro' }],

  prefetch: (tx, company_id, { params }) => findRecordText(tx, company_id, params.record),

  async handle(_ctx, _input, row) {
    if (!row) throw fail(c.resource_not_found, { param: 'record' });
    return {
      body: row.xml,
      tag: `"${row.id}"`,
      file: { name: fileName(row), is_attachment: true },
    };
  },
});

/** A number may hold characters that no file name can. */
function fileName({ kind, number }: { kind: string; number: string }): string {
  return `${kind}-${number.replace(/[^A-Za-z0-9._-]+/g, '_')}.xml`;
}

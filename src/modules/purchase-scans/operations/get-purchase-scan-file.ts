/** The original, byte for byte. It came from outside, so no browser may show it as a page of this address. */
import { Buffer } from 'node:buffer';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { FileContent } from '../../../kernel/schema.ts';
import { type HashedFile, readFile } from '../files.ts';
import { scanParams } from '../moves.ts';
import { findScan } from '../purchase-scans.store.ts';

export const getPurchaseScanFile = defineOperation({
  name: 'get_purchase_scan_file',
  method: 'GET',
  path: '/v1/purchase_scans/:purchase_scan/file',
  scope: 'purchase_invoices:read',
  tag: 'purchase_scans',
  summary: 'Descarga el archivo de un documento escaneado.',
  description:
    'Responde los bytes tal como se subieron, también de un documento archivado, siempre como adjunto. La etiqueta ETag es su SHA-256.',
  transaction: 'read',
  mcp: false,
  moves_file: true,
  params: scanParams,
  output_media_type: '*/*',
  output: FileContent,
  errors: [c.resource_not_found, c.service_unavailable],
  examples: [{ title: 'El archivo' }],

  prefetch: (tx, company_id, { params }) => findScan(tx, company_id, params.purchase_scan as string),

  async handle({ caller: { company_id } }, _input, row) {
    if (!row) throw fail(c.resource_not_found, { param: 'purchase_scan' });
    const { id, file_name: name, media_type, sha256 } = row;
    const body: HashedFile = { company_id, id, sha256 };
    return { body, tag: `"${sha256}"`, file: { name, is_attachment: true, media_type, is_foreign: true } };
  },

  async after_commit({ ports }, answer) {
    const bytes = await readFile(ports, answer.body as HashedFile);
    return { ...answer, body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  },
});

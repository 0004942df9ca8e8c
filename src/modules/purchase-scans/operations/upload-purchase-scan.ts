import { decodedFile } from '../../../kernel/base64-file.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { One } from '../../../kernel/schema.ts';
import { idAt, newId } from '../../../kernel/uuid7.ts';
import { PlanStale } from '../../../platform/issuing-call.ts';
import { scanKey, storeFile } from '../files.ts';
import { forgetLater, isNotForgotten } from '../forget-files.jobs.ts';
import { PurchaseScan, present, type ScanRow, UploadInput, uploadMax } from '../purchase-scans.schema.ts';
import { findScanOfContent, insertScan, sumScansSince } from '../purchase-scans.store.ts';
import { fileKind, type ScanMediaType } from '../rules/file-kind.ts';
import { plainFileName } from '../rules/file-name.ts';
import { askForReading } from '../purchase-scans.jobs.ts';

type Prepared = {
  id: string;
  /** The job that deletes the file, where one was stored. */
  forgetting: string | null;
  sha256: string;
  size: number;
  kind: { media_type: ScanMediaType } | { fault: string };
};

/** What a company may store in 24 hours. */
const filesMax = 5000;
const bytesMax = 2_000_000_000;
const dayMs = 24 * 3_600_000;

/** The smallest PDF that holds nothing. */
const example = Buffer.from('%PDF-1.4\n%%EOF\n', 'latin1').toString('base64');

export const uploadPurchaseScan = defineOperation({
  name: 'upload_purchase_scan',
  method: 'POST',
  path: '/v1/purchase_scans',
  scope: 'purchase_invoices:write',
  tag: 'purchase_scans',
  summary: 'Sube el documento de una factura de compra.',
  description: [
    'Guarda el documento de un proveedor byte por byte, como llegó, y pide su lectura. Responde antes de que termine: se consulta con get_purchase_scan hasta que status es processed o failed.',
    'Es un PDF, una imagen JPEG o PNG de 40 millones de píxeles como máximo, o un XML; lo dice el contenido, no el nombre. Lo que no lo es se rechaza (parameter_invalid, param content_base64). Admite 20 MiB, unos 15 MB de archivo; como herramienta de /mcp, 1 MiB.',
    'Los mismos bytes se guardan una vez: si los tiene un documento no archivado responde ese (Idempotent-Replayed: true), aunque el nombre sea otro.',
    'Una empresa guarda como máximo 5.000 archivos y 2 GB en 24 horas; lo que pasa de ahí se rechaza (business_rule_violation, param content_base64).',
    'Se leen facturas electrónicas Facturae 3.2, 3.2.1 y 3.2.2, el código QR de VeriFactu y el texto de los PDF, de 100 páginas como máximo. No se reconocen caracteres de imágenes. Lo que no se puede leer queda guardado, con extraction.method none.',
  ].join('\n\n'),
  transaction: 'own',
  mcp: true,
  other_statuses: [{ status: 200, when: 'Un documento no archivado tiene ya estos bytes.' }],
  body_limit: uploadMax,
  upload: 'content_base64',
  moves_file: true,
  body: UploadInput,
  output: One(PurchaseScan),
  errors: [c.business_rule_violation, c.service_unavailable],
  examples: [{ title: 'Un PDF', body: { file_name: 'factura.pdf', content_base64: example } }],

  async prepare(ports, { body }, around): Promise<Prepared> {
    const { company_id, read } = around;
    const { bytes, sha256, size } = decodedFile(body.content_base64);
    const prepared = { id: newId(), sha256, size, kind: fileKind(bytes), forgetting: null };
    if ('fault' in prepared.kind) return prepared;
    const known = await read((tx) => findScanOfContent(tx, company_id, sha256));
    if (known) return prepared;
    const forgetting = await forgetLater(around, prepared.id);
    await storeFile(ports, { company_id, id: prepared.id }, bytes, prepared.kind.media_type);
    return { ...prepared, forgetting };
  },

  async discard({ blobs }, { id, forgetting }, { company_id }) {
    if (forgetting !== null) await blobs.delete(scanKey({ company_id, id }));
  },

  async handle(ctx, { body }, { id, sha256, size, kind, forgetting }: Prepared) {
    const { tx, company, now } = ctx;
    const { company_id } = company;
    if ('fault' in kind) refuseIssues([invalidField('content_base64', kind.fault)]);
    const { media_type } = kind as { media_type: ScanMediaType };
    const row = newScan({ id, sha256, size, media_type, file_name: plainFileName(body.file_name), now });
    if (forgetting !== null && (await isFull(ctx, size))) {
      const reason = 'la empresa ha guardado 5.000 archivos o 2 GB en 24 horas: suba este más tarde.';
      throw fail(c.business_rule_violation, { param: 'content_base64', values: { reason } });
    }
    if (forgetting !== null && (await insertScan(tx, company_id, row))) {
      if (!(await isNotForgotten(tx, company_id, forgetting)))
        throw new PlanStale('The file of this upload was taken for abandoned.');
      askForReading(ctx, id);
      ctx.audit({
        action: 'purchase_scan.upload',
        object: 'purchase_scan',
        object_id: id,
        details: { sha256 },
      });
      return { status: 201, body: { data: present(row) } };
    }
    // Another call was first, or this one found the bytes before it stored any.
    const known = await findScanOfContent(tx, company_id, sha256);
    if (!known) throw new PlanStale('The scan of these bytes was archived at this moment.');
    return { status: 200, is_repeat: true, body: { data: present(known) } };
  },
});

/** A day of real time, as ids tell it: who sets a sandbox's clock forward stores no more by that. */
async function isFull({ tx, company, realNow }: Pick<Ctx, 'tx' | 'company' | 'realNow'>, size: number) {
  const since = idAt(realNow().getTime() - dayMs, 'first');
  const { files, bytes } = await sumScansSince(tx, company.company_id, since, filesMax);
  return files >= filesMax || bytes + size > bytesMax;
}

type Uploaded = Pick<ScanRow, 'id' | 'sha256' | 'size' | 'media_type' | 'file_name'> & { now: Date };

function newScan({ now, ...file }: Uploaded): ScanRow {
  return {
    ...file,
    version: 1,
    status: 'uploaded',
    status_before: null,
    pages: null,
    attempts: 0,
    extraction: null,
    proposal: null,
    supplier_id: null,
    supplier_candidates: [],
    possible_duplicate_ids: [],
    purchase_invoice_id: null,
    error: null,
    processed_at: null,
    archived_at: null,
    created_at: now,
    updated_at: now,
  };
}

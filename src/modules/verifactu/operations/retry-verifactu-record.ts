import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import type { RecordReader } from '../ports.ts';
import { releaseRecords } from '../sending/release-records.ts';
import { findRecord, findRecordText, type ShownRow } from '../records/records.reads.ts';
import { presentRecord, VerifactuRecord } from '../records/records.schema.ts';
import { lockChainHead } from '../records/records.store.ts';
import { endlessSince, retryFault } from '../sending/rules/retry.ts';
import { findSettings } from '../settings/settings.store.ts';
import { verifactuErrors as e } from '../verifactu.errors.ts';

export const retryVerifactuRecord = defineOperation({
  name: 'retry_verifactu_record',
  method: 'POST',
  path: '/v1/verifactu/records/:record/retry',
  scope: 'verifactu:write',
  tag: 'verifactu',
  summary: 'Reintenta el envío de un registro.',
  description:
    'Mira de nuevo lo que retenía un registro que espera y, si ya nada lo impide, lo envía enseguida tal como estaba; no crea otro. Desde la versión 2026-10-01 no hay límite de intentos, y el servicio respeta el tiempo de espera que fijó la Agencia Tributaria. Un registro que ya tiene respuesta o que se conserva sin enviarse no se reintenta (invalid_status_transition): si se rechazó, se corrige con subsanar_verifactu_record. Si sigue incumpliendo el esquema, se rechaza (verifactu_not_eligible).',
  transaction: 'own',
  status: 200,
  mcp: true,
  irreversible: true,
  reaches_outside: true,
  params: Shape({ record: Described(Uuid, 'Id del registro') }),
  output: One(VerifactuRecord),
  errors: [
    c.resource_not_found,
    c.invalid_status_transition,
    e.max_retries_exceeded,
    e.verifactu_not_eligible,
  ],
  gone_since: { version: endlessSince, errors: [e.max_retries_exceeded] },
  examples: [{ title: 'Reintentar' }],

  async handle(ctx, { params }) {
    const { tx, company, audit } = ctx;
    const { company_id } = company;
    if (!(await findRecord(tx, company_id, params.record)))
      throw fail(c.resource_not_found, { param: 'record' });
    // It may have to be loaded, and whoever issues waits for the head.
    const reader = await ctx.ports.records.reader();
    await lockChainHead(tx, company_id);
    const row = (await findRecord(tx, company_id, params.record))!;
    const { sending, is_last } = row;
    const fault = retryFault({
      status: sending?.status ?? null,
      is_blocked: sending?.is_blocked ?? false,
      attempts: sending?.attempts ?? 0,
      is_last,
      version: ctx.version,
    });
    if (fault) throw fault;
    await releaseRecords(ctx, sending?.is_blocked ? await mendedId(ctx, row, reader) : []);
    audit({ action: 'verifactu.record_retried', object: 'verifactu_record', object_id: row.id });
    const [after, settings] = await Promise.all([
      findRecord(tx, company_id, row.id),
      findSettings(tx, company_id),
    ]);
    return { data: presentRecord(after!, ctx, settings?.block_reason) };
  },
});

/** @throws 422 verifactu_not_eligible for a record that still breaks the schema */
async function mendedId(
  { tx, company }: Ctx,
  { id }: ShownRow,
  { findTextFaults }: RecordReader,
): Promise<string[]> {
  const text = await findRecordText(tx, company.company_id, id);
  const [fault] = findTextFaults(text!.xml);
  if (fault !== undefined)
    throw fail(e.verifactu_not_eligible, {
      param: 'record',
      values: { reason: `sigue incumpliendo el esquema (${fault}).` },
    });
  return [id];
}

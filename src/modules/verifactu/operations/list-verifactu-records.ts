import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { DayText, Described, Enum, Text, Moment, Type, Uuid } from '../../../kernel/schema.ts';
import { remissionModes } from '../settings/rules/mode.ts';
import { listRecords } from '../records/records.list.ts';
import { presentRecord, recordKinds, VerifactuRecord } from '../records/records.schema.ts';
import { recordStatuses } from '../records/rules/record-block.ts';
import { companyBlock } from '../sending/rules/blocking.ts';
import { findSettings } from '../settings/settings.store.ts';

const sorts = ['created'];

export const listVerifactuRecords = defineList({
  name: 'list_verifactu_records',
  path: '/v1/verifactu/records',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Lista los registros de facturación.',
  description:
    'Responde una página de los registros de facturación (altas y anulaciones), los más recientes primero, cada uno con su estado en la Agencia Tributaria. Los filtros se suman: con is_blocked a true salen los que no se enviarán hasta que se resuelva algo. Uno bloqueado se reintenta con retry_verifactu_record; uno con can_subsanar a true se corrige con subsanar_verifactu_record.',
  mcp: true,
  sorts,
  filters: {
    status: Type.Optional(
      Enum(recordStatuses, {
        description:
          'pending: esperan; sending: se están enviando; accepted, accepted_with_errors y rejected: la respuesta de la Agencia Tributaria; kept: se conservan sin enviarse',
      }),
    ),
    kind: Type.Optional(
      Enum(recordKinds, { description: 'alta: de una factura; anulacion: de su anulación' }),
    ),
    mode: Type.Optional(
      Enum(remissionModes, { description: 'verifactu: se envían; no_verifactu: se conservan firmados' }),
    ),
    is_blocked: Type.Optional(
      Type.Boolean({ description: 'true: solo los que esperan y no se enviarán; false: los demás' }),
    ),
    number: Type.Optional(Text(60, { minLength: 1, description: 'Número completo y exacto de la factura' })),
    invoice_id: Type.Optional(Described(Uuid, 'Id de la factura')),
    ...rangeParameters('issued_on', DayText, 'Fecha de expedición de la factura'),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: VerifactuRecord,
  examples: [{ title: 'Los rechazados', query: { status: 'rejected', limit: '2' } }],

  prefetch: (tx, company_id) => findSettings(tx, company_id),

  async list(ctx, { query, page }, settings) {
    const { tx, company, ports } = ctx;
    const block = companyBlock({
      is_authority_configured: ports.authority.isConfigured(company.environment),
      block_reason: settings?.block_reason ?? null,
    });
    const rows = await listRecords(tx, company.company_id, page, query, block);
    return pageAnswer(rows, page, (row) => presentRecord(row, ctx, settings?.block_reason));
  },
});

/** Of two calls at once, the second finds the first one's record pending. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import {
  DayText,
  Described,
  Enum,
  Nullable,
  One,
  Shape,
  Name,
  Text,
  Type,
  Uuid,
} from '../../../kernel/schema.ts';
import { appendRecord } from '../records/append-record.ts';
import { makeRecorder } from '../records/recorder.ts';
import type { RecordContent } from '../record.ts';
import { findRecord, findRecordText } from '../records/records.reads.ts';
import { presentRecord, recordFields } from '../records/records.schema.ts';
import { listRecordsOf, lockChainHead } from '../records/records.store.ts';
import { findRegistration } from '../records/registration.store.ts';
import { eligibilityFaults, numberFault } from '../records/rules/eligibility.ts';
import { mendedFaults } from '../records/rules/mended-rules.ts';
import { type Corrections, mendedContent } from '../records/rules/mended-content.ts';
import type { RecordReader } from '../ports.ts';
import { beginDueMode } from '../settings/change-mode.ts';
import { modeOn } from '../settings/rules/mode.ts';
import { marksOfSubsanacion } from '../records/rules/subsanacion.ts';
import { newIdSince, subsanarAnswer } from '../records/rules/subsanar-answer.ts';
import { findSettings } from '../settings/settings.store.ts';
import { verifactuErrors as e } from '../verifactu.errors.ts';

export const subsanarVerifactuRecord = defineOperation({
  name: 'subsanar_verifactu_record',
  method: 'POST',
  path: '/v1/verifactu/records/:record/subsanar',
  scope: 'verifactu:write',
  tag: 'verifactu',
  summary: 'Subsana un registro rechazado o aceptado con otro nuevo.',
  description: [
    'Corrige lo que consta de una factura en la Agencia Tributaria. Crea siempre un registro nuevo al final de la cadena, con sus marcas, que se envía o se conserva según el modo; el anterior no cambia. El nombre del emisor se toma de la empresa, y el resto del registro anterior, salvo los datos que se envíen: el número, la fecha de expedición y los importes no cambian.',
    '- `record_not_rejected`: el registro aún no tiene respuesta, o la factura tiene otro registro posterior.',
    '- `requires_annulment`: se rechazó por el número, la fecha de expedición o el NIF del emisor (códigos 1104, 1105, 1108, 1120, 1130, 1133, 1152, 1172, 1219 y 1287, y 1112 mientras la fecha sea futura): anúlela con annul_invoice y emita otra.',
    '- `verifactu_not_eligible`: la Agencia rechazaría el registro nuevo.',
    '- `record_not_subsanable`: es una anulación no rechazada, o rechazada por lo que identifica la factura; la factura ya consta anulada en la Agencia (3001, 3004); o VeriFactu está desactivado.',
  ].join('\n\n'),
  transaction: 'own',
  mcp: true,
  irreversible: true,
  reaches_outside: true,
  params: Shape({ record: Described(Uuid, 'Id del registro') }),
  body: Shape({
    description: Type.Optional(
      Text(500, { minLength: 1, description: 'Descripción de la operación, corregida' }),
    ),
    recipient: Type.Optional(
      Shape(
        {
          name: Name(120, { minLength: 1, description: 'Nombre o razón social' }),
          tax_id: Type.Optional(Nullable(Text(20, { minLength: 1, description: 'NIF' }))),
          foreign_id: Type.Optional(
            Nullable(
              Shape(
                {
                  type: Enum(['02', '03', '04', '05', '06', '07'], {
                    description:
                      'IDType de la Agencia Tributaria: 02 NIF-IVA, 03 pasaporte, 04 documento oficial de su país, 05 certificado de residencia, 06 otro documento, 07 no censado',
                  }),
                  country: Type.Optional(
                    Nullable(Text(2, { minLength: 2, description: 'País: código ISO 3166-1 de dos letras' })),
                  ),
                  id: Text(20, {
                    minLength: 1,
                    description: 'La identificación, de 20 caracteres como máximo',
                  }),
                },
                { description: 'Otra identificación, de quien no tiene NIF' },
              ),
            ),
          ),
        },
        { description: 'Destinatario corregido, con tax_id o foreign_id: uno de los dos' },
      ),
    ),
    operation_on: Type.Optional(
      Described(Nullable(DayText), 'Fecha de la operación corregida, YYYY-MM-DD; null, la de expedición'),
    ),
  }),
  body_optional: true,
  output: One(
    Type.Object({
      ...recordFields,
      new_record_id: Type.Optional(
        Type.String({ description: 'Solo en la versión 2026-06-01, donde id es el del registro subsanado' }),
      ),
    }),
  ),
  gone_since: { version: newIdSince, members: ['new_record_id'] },
  errors: [
    c.resource_not_found,
    c.business_rule_violation,
    e.operation_date_after_issue_date,
    e.record_not_rejected,
    e.record_not_subsanable,
    e.requires_annulment,
    e.verifactu_not_eligible,
  ],
  examples: [{ title: 'Corregir la descripción', body: { description: 'Servicios de consultoría' } }],

  async handle(ctx, { params, body }) {
    const { tx, company, ports, today, now, audit, version } = ctx;
    const { company_id } = company;
    const [seen, registration] = await Promise.all([
      findRecord(tx, company_id, params.record),
      findRegistration(tx, company_id),
    ]);
    if (!seen || !registration) throw fail(c.resource_not_found, { param: 'record' });
    const mode = modeOn(company, today);
    const recorder = mode && (await makeRecorder(ports, company, mode, registration, now, today));
    const reader = await ports.records.reader();
    await beginDueMode(ctx);
    const head = await lockChainHead(tx, company_id);
    const [records, text] = await Promise.all([
      listRecordsOf(tx, company_id, seen.invoice_id),
      findRecordText(tx, company_id, seen.id),
    ]);
    const record = { ...records.find((one) => one.id === seen.id)!, issued_on: seen.issued_on };
    const marks = marksOfSubsanacion(records, record, { mode, today });
    const previous = reader.readRecord(text!.xml).content;
    const content = mendedContent(previous, marks, body ?? {}, company.name);
    checkEligible(content, body ?? {}, today);
    const seed = {
      invoice_id: seen.invoice_id,
      follows_id: seen.id,
      content,
      qr_url: seen.qr_url,
      qr_mode: seen.qr_mode,
    };
    const { row } = await appendRecord(ctx, recorder!, head, seed);
    checkSchema(reader, row.xml);
    audit({
      action: 'verifactu.record_mended',
      object: 'verifactu_record',
      object_id: row.id,
      details: { mended_id: seen.id },
    });
    const [made, settings] = await Promise.all([
      findRecord(tx, company_id, row.id),
      findSettings(tx, company_id),
    ]);
    return {
      data: subsanarAnswer(version, seen.id, presentRecord(made!, ctx, settings?.block_reason)),
    };
  },
});

/** @throws 422 verifactu_not_eligible; business_rule_violation for a company without a name */
function checkEligible(content: RecordContent, { recipient }: Corrections, today: string): void {
  const [fault] =
    content.kind === 'alta'
      ? [...eligibilityFaults(content, today, true), ...mendedFaults(content)]
      : [numberFault(content.number) ?? []].flat();
  if (!fault) return;
  const is_sent = fault.details.param === 'client_id' && recipient !== undefined;
  throw is_sent ? fail(fault.def, { ...fault.details, param: 'recipient' }) : fault;
}

/**
 * Issuing never waits for better data; a subsanación can.
 * @throws 422 verifactu_not_eligible
 */
function checkSchema(reader: RecordReader, xml: string): void {
  const [reason] = reader.findTextFaults(xml);
  if (reason !== undefined) throw fail(e.verifactu_not_eligible, { param: null, values: { reason } });
}

import { parseSpanishTaxId } from '../../../domain/spain/tax-id.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { DayText, Described, Nullable, One, Shape, Name, Text, Type } from '../../../kernel/schema.ts';
import { fail, type FieldIssue } from '../../../kernel/problem.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { warnOfEnds } from '../identity/expiry.ts';
import { presentRepresentation, Representation } from '../identity/representations.schema.ts';
import {
  findRepresentation,
  insertRepresentation,
  replaceRepresentation,
} from '../identity/representations.store.ts';
import { resumeWork } from '../settings/resume-work.ts';
import { lastDayAllowed } from '../identity/rules/representation-term.ts';
import { lockModes } from '../settings/settings.store.ts';
import { verifactuErrors as e } from '../verifactu.errors.ts';

export const registerCompanyRepresentation = defineOperation({
  name: 'register_company_representation',
  method: 'POST',
  path: '/v1/verifactu/representation',
  scope: 'verifactu:write',
  tag: 'verifactu',
  summary: 'Registra la representación que permite al servicio enviar y firmar por la empresa.',
  description:
    'Deja constancia de que la empresa permite al servicio enviar y firmar por ella como colaborador social. La empresa la otorga según el modelo de la Agencia Tributaria y conserva el documento. Vale desde hoy y hasta cinco años; una nueva sustituye a la anterior. Se rechaza si el servicio no tiene certificado (social_collaborator_unavailable) o si el plazo no cabe (invalid_representation). Los registros que esperaban por ella se envían. 30 y 7 días antes de que acabe se avisa en la configuración y por correo a la dirección de la empresa. Para acabar con ella está revoke_company_representation.',
  transaction: 'own',
  mcp: true,
  irreversible: true,
  reaches_outside: true,
  body: Shape({
    valid_until: Described(DayText, 'Último día en que vale, YYYY-MM-DD: de hoy a cinco años'),
    representative: Type.Optional(
      Nullable(
        Shape(
          {
            name: Name(120, { minLength: 1, description: 'Nombre y apellidos' }),
            tax_id: Text(20, { minLength: 1, description: 'NIF español' }),
          },
          { description: 'Quien la otorga en nombre de la empresa' },
        ),
      ),
    ),
    reference: Type.Optional(Nullable(Text(120, { description: 'Referencia del documento en la empresa' }))),
  }),
  output: One(Representation),
  errors: [e.social_collaborator_unavailable, e.invalid_representation],
  examples: [{ title: 'Hasta fin de 2030', body: { valid_until: '2030-12-31' } }],

  async handle(ctx, { body }) {
    const { tx, company, now, today, audit, ports } = ctx;
    if (!ports.authority.hasServiceIdentity(company.environment))
      throw fail(e.social_collaborator_unavailable);
    const { company_id } = company;
    const { valid_until, representative = null, reference = null } = body;
    const tax_id = representative ? parseSpanishTaxId(representative.tax_id)?.value : null;
    const issues: FieldIssue[] = [];
    const refuseTerm = (reason: string) =>
      fail(e.invalid_representation, { param: 'valid_until', values: { reason } });
    if (valid_until < today) throw refuseTerm('ya ha pasado.');
    const last_day = lastDayAllowed(today);
    if (valid_until > last_day) throw refuseTerm(`como máximo cinco años, hasta el ${last_day}.`);
    if (tax_id === undefined) issues.push(invalidField('representative.tax_id', 'No es un NIF válido.'));
    refuseIssues(issues);

    await lockModes(tx, company_id);
    const previous = await findRepresentation(tx, company_id);
    await replaceRepresentation(tx, company_id, now);
    const id = newId();
    await insertRepresentation(tx, company_id, {
      id,
      representative_name: representative?.name.trim() ?? null,
      representative_tax_id: tax_id ?? null,
      reference,
      valid_from: today,
      valid_until,
      created_at: now,
    });
    audit({
      action: 'verifactu_representation.registered',
      object: 'verifactu_representation',
      object_id: id,
      details: { valid_until, replaced_id: previous?.id ?? null },
    });
    for (const entry of await warnOfEnds(ctx)) audit(entry);
    await resumeWork(ctx);
    const row = await findRepresentation(tx, company_id);
    if (!row) throw new Error('The representation was not stored.');
    return { data: presentRepresentation(row, ctx) };
  },
});

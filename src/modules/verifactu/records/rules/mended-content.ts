/** Repeats a record with corrected data. Number, day, issuer's tax id and amounts stay: they are the invoice's. */
import { parseSpanishTaxId } from '../../../../domain/spain/tax-id.ts';
import { parseVatId } from '../../../../domain/spain/vat-id.ts';
import { fail } from '../../../../kernel/problem.ts';
import { brokenRule, invalidParam } from '../../../../kernel/resource-input.ts';
import { oneLine } from '../../../../kernel/xml-characters.ts';
import type {
  AltaContent,
  AnulacionContent,
  ForeignId,
  ForeignIdType,
  Party,
  RecordContent,
} from '../../record.ts';
import { verifactuErrors as e } from '../../verifactu.errors.ts';
import type { Marks } from './subsanacion.ts';

/** Data left out stay. `operation_on` null means the day of issue. */
export type Corrections = {
  description?: string | undefined;
  recipient?:
    | {
        name: string;
        tax_id?: string | null | undefined;
        foreign_id?:
          | { type: ForeignIdType; country?: string | null | undefined; id: string }
          | null
          | undefined;
      }
    | undefined;
  operation_on?: string | null | undefined;
};

/** Their operation may be after the day of issue. */
const lateOperationKeys: ReadonlySet<string | null> = new Set(['14', '15']);

type SentForeignId = NonNullable<NonNullable<Corrections['recipient']>['foreign_id']>;

/** Codes 1103, 1122 and 1131. The shape of VAT numbers is that of VIES. */
function foreignIdOf({ type, country = null, id }: SentForeignId): ForeignId {
  if (type === '02') {
    const vat_id = parseVatId(id);
    if (vat_id === undefined || vat_id.country === 'ES')
      throw invalidParam('recipient.foreign_id.id', 'No es un NIF-IVA válido de otro Estado miembro.');
    if (country !== null && country !== vat_id.country)
      throw invalidParam('recipient.foreign_id.country', 'No es el país del NIF-IVA.');
    return { type, country, id: vat_id.value };
  }
  if (type !== '07') return { type, country, id };
  const nif = parseSpanishTaxId(id);
  if (nif === undefined || nif.kind === 'entity')
    throw invalidParam('recipient.foreign_id.id', 'No es un NIF válido de una persona física.');
  return { type, country, id: nif.value };
}

function partyOf({ name, tax_id = null, foreign_id = null }: NonNullable<Corrections['recipient']>): Party {
  if ((tax_id === null) === (foreign_id === null))
    throw invalidParam('recipient', 'Lleva tax_id o foreign_id: uno de los dos.');
  if (foreign_id !== null) return { name: name.trim(), tax_id: null, foreign_id: foreignIdOf(foreign_id) };
  const nif = parseSpanishTaxId(tax_id!)?.value;
  if (nif === undefined) throw invalidParam('recipient.tax_id', 'No es un NIF válido.');
  return { name: name.trim(), tax_id: nif, foreign_id: null };
}

/**
 * @param company_name now; it becomes the issuer's name
 * @throws 422 parameter_invalid for unreadable data, business_rule_violation for data that this record does not have,
 * operation_date_after_issue_date
 */
export function mendedContent(
  previous: RecordContent,
  marks: Marks,
  corrections: Corrections,
  company_name: string | null,
): RecordContent {
  const issuer = { ...previous.issuer, name: company_name?.trim() ?? '' };
  if (previous.kind === 'anulacion') {
    const [param] = Object.entries(corrections).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    if (param !== undefined) throw brokenRule(param, 'una anulación no lleva este dato.');
    if (marks.kind !== 'anulacion') throw new Error('An annulment is followed by an annulment.');
    return { ...previous, issuer, ...marks } satisfies AnulacionContent;
  }
  if (marks.kind !== 'alta') throw new Error('An alta is followed by an alta.');
  const { description, recipient, operation_on } = corrections;
  const content: AltaContent = { ...previous, issuer, ...marks };
  if (description !== undefined) {
    content.description = oneLine(description);
    if (content.description === '') throw invalidParam('description', 'No puede quedar vacía.');
  }
  if (recipient !== undefined) {
    if (previous.recipients.length === 0)
      throw brokenRule('recipient', 'el registro es de una factura sin destinatario, y seguirá siéndolo.');
    content.recipients = [partyOf(recipient)];
  }
  if (operation_on !== undefined) {
    const day = operation_on ?? previous.issued_on;
    const key = previous.rows.find((row) => row.regime_key !== null)?.regime_key ?? null;
    if (day > previous.issued_on && !lateOperationKeys.has(key))
      throw fail(e.operation_date_after_issue_date, { param: 'operation_on' });
    content.operation_on = day === previous.issued_on ? null : day;
  }
  return content;
}

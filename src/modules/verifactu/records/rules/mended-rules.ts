/**
 * How type and lines of a record bind its recipients and the day of its operation. Issuing checks client and day before there is a
 * record; these check what a subsanación puts in their place.
 */
import { needsForeignId } from '../../../../domain/sales/recipient-id.ts';
import type { Problem } from '../../../../kernel/problem.ts';
import type { AltaContent, BreakdownRow, ForeignIdType, Party } from '../../record.ts';
import { ineligible } from './eligibility.ts';

type Rule = {
  /** Of the authority. */
  readonly codes: string;
  readonly param: 'client_id' | 'operation_on';
  /** Spanish, to end a message with. */
  readonly reason: string;
  applies(content: AltaContent): boolean;
  accepts(content: AltaContent): boolean;
};

const withKey = (key: string) => (content: AltaContent) =>
  content.rows.some(
    ({ tax_code, regime_key }) => regime_key === key && (tax_code === '01' || tax_code === '03'),
  );
const isIntraCommunity = ({ tax_code, exemption_reason }: BreakdownRow) =>
  tax_code === '01' && exemption_reason === 'E5';

const each =
  (accepts: (party: Party) => boolean) =>
  ({ recipients }: AltaContent) =>
    recipients.every(accepts);
const hasNif = ({ foreign_id }: Party) => foreign_id === null;
const hasNifOr = (...types: ForeignIdType[]) =>
  each(({ foreign_id }) => foreign_id === null || types.includes(foreign_id.type));

const rules: readonly Rule[] = [
  {
    codes: '1191',
    param: 'client_id',
    reason: 'en una R3 el destinatario se identifica con NIF, o como no censado (07).',
    applies: ({ type }) => type === 'R3',
    accepts: hasNifOr('07'),
  },
  {
    codes: '1192',
    param: 'client_id',
    reason: 'en una R2 el destinatario se identifica con NIF, NIF-IVA (02) o como no censado (07).',
    applies: ({ type }) => type === 'R2',
    accepts: hasNifOr('02', '07'),
  },
  {
    codes: '1205',
    param: 'client_id',
    reason: 'con la clave 10 el destinatario se identifica con NIF.',
    applies: withKey('10'),
    accepts: each(hasNif),
  },
  {
    codes: '1149',
    param: 'client_id',
    reason: 'con la clave 14 el NIF del destinatario empieza por P, Q, S o V.',
    applies: withKey('14'),
    accepts: each(({ tax_id }) => tax_id !== null && /^[PQSV]/.test(tax_id)),
  },
  {
    codes: '1289',
    param: 'client_id',
    reason: needsForeignId,
    applies: ({ rows }) => rows.some(isIntraCommunity),
    accepts: each((party) => !hasNif(party)),
  },
  {
    codes: '1147',
    param: 'operation_on',
    reason: 'con la clave 14 la fecha de operación es obligatoria y posterior a la de expedición.',
    applies: withKey('14'),
    accepts: ({ operation_on, issued_on }) => operation_on !== null && operation_on > issued_on,
  },
];

export function mendedFaults(content: AltaContent): Problem[] {
  return rules
    .filter((rule) => rule.applies(content) && !rule.accepts(content))
    .map(({ param, reason }) => ineligible(param, reason));
}

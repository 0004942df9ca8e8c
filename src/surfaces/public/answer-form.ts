/** Reads the two forms of an offer's page. */
import { isEmailAddress } from '../../domain/email-address.ts';
import { checkSchema } from '../../kernel/check.ts';
import type { Operation } from '../../kernel/operation.ts';
import type { Problem } from '../../kernel/problem.ts';

export type FieldName = 'name' | 'email' | 'tax_id' | 'note' | 'agree' | 'reason';

/** What stands in the fields. */
export type Typed = Partial<Record<FieldName, string>>;

export type AnswerForm = {
  typed: Typed;
  /** The version that the form was shown with; null for none. */
  version: number | null;
  body: Record<string, unknown>;
  faults: readonly FieldName[];
};

const fields: readonly FieldName[] = ['name', 'email', 'tax_id', 'note', 'agree', 'reason'];

/** As browsers send it; a text area ends its lines with CR and LF. */
function readFields(bytes: Buffer | undefined): { typed: Typed; version: string } {
  const sent = new URLSearchParams(bytes?.toString('utf8') ?? '');
  const text = (name: string) => (sent.get(name) ?? '').replaceAll('\r\n', '\n').trim();
  return {
    typed: Object.fromEntries(fields.map((name) => [name, text(name)])),
    version: text('version'),
  };
}

export function faultsOf({ details }: Problem): FieldName[] {
  const named = [...(details.errors ?? []).map(({ param }) => param), details.param];
  return fields.filter((name) => named.includes(name));
}

export function readAcceptance(
  { body: schema }: Operation,
  bytes: Buffer | undefined,
  from: { ip: string; user_agent: string | null },
): AnswerForm {
  const { typed, version: shown } = readFields(bytes);
  const { name, email = '', tax_id, note, agree } = typed;
  const version = /^[1-9]\d{0,8}$/.test(shown) ? Number(shown) : null;
  const body = {
    name,
    email,
    tax_id: tax_id || null,
    note: note || null,
    expected_version: version ?? 1,
    ...from,
  };
  const bad = new Set(schema ? checkSchema(schema, body).map(({ param }) => param) : []);
  if (!isEmailAddress(email)) bad.add('email');
  if (agree !== 'yes') bad.add('agree');
  return { typed, version, body, faults: fields.filter((field) => bad.has(field)) };
}

export function readRejection({ body: schema }: Operation, bytes: Buffer | undefined): AnswerForm {
  const { typed } = readFields(bytes);
  const body = { reason: typed.reason || null };
  const is_bad = schema !== null && checkSchema(schema, body).length > 0;
  return { typed, version: null, body, faults: is_bad ? ['reason'] : [] };
}

/** What quotes and pro-forma invoices have besides what all documents have. */
import type { DocumentRow } from '../../domain/sales/rows.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { CompanyContext, Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { missingParam } from '../../kernel/resource-input.ts';
import {
  DayText,
  Described,
  Enum,
  Name,
  Nullable,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import type { Columns } from '../../platform/rows.ts';
import type { FieldsOf, SentContent } from '../sales/index.ts';
import {
  checkDays,
  defaultValidity,
  editedValidity,
  hasEnded,
  numberedValidity,
  type Validity,
} from './rules/validity.ts';

export type Acceptance = {
  accepted_at: string;
  name: string | null;
  tax_id: string | null;
  note: string | null;
  channel: 'public_page' | 'api';
  version: number;
};
export type Rejection = { rejected_at: string; reason: string | null; channel: 'public_page' | 'api' };

export type OfferRow = DocumentRow &
  Validity & {
    /** Counts the changes of content. `version` counts all changes of the row. */
    content_version: number;
    acceptance: Acceptance | null;
    rejection: Rejection | null;
    converted_to_kind: string | null;
    converted_to_id: string | null;
  };

export const offerColumns: Columns = {
  valid_until: 'date',
  is_valid_until_stated: 'boolean',
  content_version: 'integer',
  acceptance: 'jsonb',
  rejection: 'jsonb',
  converted_to_kind: 'text',
  converted_to_id: 'uuid',
};

/** All own columns: moves change some of them, and an edit of content replaces the row. */
export const offerMutable = Object.keys(offerColumns);

export const blankOffer = {
  content_version: 1,
  acceptance: null,
  rejection: null,
  converted_to_kind: null,
  converted_to_id: null,
} as const;

const channels = ['public_page', 'api'] as const;
const channelText = 'public_page: en la página del documento; api: en nombre del cliente, por la API';

/** @param the `el presupuesto` */
export const offerInput = (the: string) => ({
  valid_until: Type.Optional(
    Described(
      Nullable(DayText),
      `Último día en que se puede aceptar ${the}, YYYY-MM-DD; null, sin fin. Si se omite, la fecha y los días de default_validity_days de la empresa`,
    ),
  ),
});

const validUntil = Described(Nullable(DayText), 'Último día en que se puede aceptar; null, sin fin');

const answers = {
  version: Type.Integer({
    minimum: 1,
    description: 'Sube con cada cambio de contenido. Quien acepta puede decir cuál ha leído',
  }),
  acceptance: Nullable(
    Type.Object(
      {
        accepted_at: Described(Timestamp, 'Cuándo se aceptó (ISO 8601 UTC)'),
        name: Nullable(Type.String({ description: 'Quién aceptó' })),
        tax_id: Nullable(Type.String({ description: 'Su identificación fiscal' })),
        note: Nullable(Type.String({ description: 'Lo que dijo' })),
        channel: Enum(channels, { description: channelText }),
        version: Type.Integer({ description: 'La versión que se aceptó' }),
      },
      { description: 'La aceptación; null si no la hay' },
    ),
  ),
  rejection: Nullable(
    Type.Object(
      {
        rejected_at: Described(Timestamp, 'Cuándo se rechazó (ISO 8601 UTC)'),
        reason: Nullable(Type.String({ description: 'Por qué' })),
        channel: Enum(channels, { description: channelText }),
      },
      { description: 'El rechazo; null si no lo hay' },
    ),
  ),
  converted_to: Nullable(
    Type.Object(
      { object: Type.String({ description: 'Clase de documento' }), id: Uuid },
      { description: 'En qué se ha convertido' },
    ),
  ),
  converted_to_id: Described(Nullable(Uuid), 'Id del documento en el que se ha convertido'),
};

export const offerShown = { status: answers, issued_on: { valid_until: validUntil } };
export const offerReadOnly = Object.keys(answers);

export function presentOffer(row: OfferRow): Record<string, unknown> {
  const { converted_to_kind: object, converted_to_id } = row;
  return {
    version: row.content_version,
    acceptance: row.acceptance,
    rejection: row.rejection,
    converted_to: converted_to_id === null ? null : { object, id: converted_to_id },
    converted_to_id,
    valid_until: row.valid_until,
  };
}

export type OfferKind = 'quote' | 'proforma';

const daysOf = (kind: OfferKind, { default_validity_days }: CompanyContext) =>
  default_validity_days[kind] ?? 30;

export function readOffer(
  kind: OfferKind,
  stored: OfferRow | null,
  sent: SentContent,
  { company, today, reasons }: FieldsOf,
): Partial<OfferRow> {
  const { issued_on = stored?.issued_on ?? null, valid_until } = sent as {
    issued_on?: string | null;
    valid_until?: string | null;
  };
  const validity = editedValidity(stored, valid_until, issued_on, { today, days: daysOf(kind, company) });
  const is_changed = stored?.issued_on !== issued_on || stored.valid_until !== validity.valid_until;
  if (is_changed) reasons.attempt(() => checkDays({ issued_on, ...validity }, today));
  return stored === null ? { ...blankOffer, ...validity } : validity;
}

/** A new offer that is made of another document. */
export function newOffer(
  kind: OfferKind,
  issued_on: string | null,
  { company, today }: Pick<Ctx, 'company' | 'today'>,
): typeof blankOffer & Validity {
  return { ...blankOffer, ...defaultValidity(issued_on ?? today, daysOf(kind, company)) };
}

const reason = Type.Optional(Nullable(Text(500, { description: 'Por qué' })));

/** Bodies of the moves. */
export const moveBodies = {
  mark_pending: {
    valid_until: Type.Optional(
      Described(
        Nullable(DayText),
        'Último día en que se podrá aceptar, YYYY-MM-DD; null, sin fin. Obligatorio si el que tiene ya ha pasado',
      ),
    ),
  },
  accept: {
    name: Type.Optional(Nullable(Name(120, { description: 'Quién acepta' }))),
    tax_id: Type.Optional(Nullable(Text(20, { description: 'Su identificación fiscal' }))),
    note: Type.Optional(Nullable(Text(500, { description: 'Lo que dice al aceptar' }))),
    expected_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'La versión que se ha leído: si el documento tiene ya otra, no se acepta',
      }),
    ),
  },
  reject: { reason },
  cancel: { reason },
} as const;

type Sent = {
  valid_until?: string | null;
  name?: string | null;
  tax_id?: string | null;
  note?: string | null;
  reason?: string | null;
  expected_version?: number;
};

type Moving = Pick<Ctx, 'caller' | 'company' | 'today' | 'now'>;

/** Own columns that a move sets (`moving` of the family). */
export function moveOffer(
  kind: OfferKind,
  move: string,
  row: OfferRow,
  sent: SentContent,
  { caller, company, today, now }: Moving,
): Partial<OfferRow> {
  const body = sent as Sent;
  const channel = caller.principal.kind === 'link' ? 'public_page' : 'api';
  const leaves_draft = row.status === 'draft';
  const validity = leaves_draft
    ? numberedValidity(row, body.valid_until, { today, days: daysOf(kind, company) })
    : null;
  if (move === 'mark_pending' || (move === 'send' && leaves_draft))
    return { ...pendingAgain(row, body, validity, today), acceptance: null, rejection: null };
  if (move === 'accept') {
    if (validity && hasEnded(validity.valid_until, today)) {
      const reason = `su validez terminó el ${validity.valid_until}.`;
      throw fail(c.invalid_status_transition, { param: 'valid_until', values: { reason } });
    }
    const { expected_version, name = null, tax_id = null, note = null } = body;
    if (expected_version !== undefined && expected_version !== row.content_version)
      throw fail(c.version_conflict, { param: 'expected_version' });
    const accepted_at = now.toISOString();
    const version = row.content_version;
    return { ...validity, acceptance: { accepted_at, name, tax_id, note, channel, version } };
  }
  if (move === 'reject')
    return { rejection: { rejected_at: now.toISOString(), reason: body.reason ?? null, channel } };
  return {};
}

/** @throws 422 missing_required_param for a stored end that has passed, business_rule_violation for a sent end that has */
function pendingAgain(
  row: OfferRow,
  { valid_until: asked }: Sent,
  numbered: Validity | null,
  today: string,
): Partial<OfferRow> {
  const { valid_until } = numbered ?? { valid_until: asked === undefined ? row.valid_until : asked };
  if (hasEnded(valid_until, today)) {
    if (asked === undefined)
      throw missingParam(
        'valid_until',
        `La validez terminó el ${valid_until}: indique otro día, o null para que no termine.`,
      );
    const values = { reason: 'la validez no puede haber terminado ya.' };
    throw fail(c.business_rule_violation, { param: 'valid_until', values });
  }
  // Nobody has read a draft. A numbered document was read with its end.
  const is_other = numbered === null && valid_until !== row.valid_until;
  return {
    valid_until,
    is_valid_until_stated: true,
    content_version: row.content_version + (is_other ? 1 : 0),
  };
}

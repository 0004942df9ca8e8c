/** The members that only a recurrence has: columns, input and answer. */
import type { DocumentRow } from '../../domain/sales/rows.ts';
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
import { frequencies } from './rules/calendar.ts';
import type { Scheduled, RecurringStatus } from './rules/states.ts';

export type LastError = {
  code: string;
  message: string;
  param: string | null;
  occurrence_on: string;
  at: string;
  attempts: number;
};

export type RecurringRow = DocumentRow &
  Scheduled & {
    status: RecurringStatus;
    name: string;
    type: 'F1' | 'F2';
    last_run_at: Date | string | null;
    last_invoice_id: string | null;
    last_error: LastError | null;
    auto_issue: boolean;
    auto_send: boolean;
    send_to: string | null;
    payment_terms_days: number | null;
  };

export const ownColumns = {
  name: 'text',
  type: 'text',
  frequency: 'text',
  interval: 'integer',
  starts_on: 'date',
  ends_on: 'date',
  max_occurrences: 'integer',
  next_index: 'integer',
  next_occurrence_on: 'date',
  next_run_at: 'timestamptz',
  occurrences_count: 'integer',
  last_occurrence_on: 'date',
  last_run_at: 'timestamptz',
  last_invoice_id: 'uuid',
  last_error: 'jsonb',
  auto_issue: 'boolean',
  auto_send: 'boolean',
  send_to: 'text',
  payment_terms_days: 'integer',
} as const;

/** Moves and runs change these. */
export const runColumns = [
  'next_index',
  'next_occurrence_on',
  'next_run_at',
  'occurrences_count',
  'last_occurrence_on',
  'last_run_at',
  'last_invoice_id',
  'last_error',
] as const;

const name = Name(120, {
  minLength: 1,
  description: 'Nombre con el que se reconoce la factura recurrente',
});
const frequency = Enum(frequencies, {
  description:
    'Cada cuánto: daily días, weekly semanas, monthly meses, quarterly trimestres, yearly años, de interval en interval',
});
const starts_on = Described(
  DayText,
  'Primer día, YYYY-MM-DD, desde el que se cuentan todos. El 31 cae en el último día de los meses cortos. Si ya ha pasado, se empieza por el primer día que no haya pasado',
);

export const recurringInput = {
  name: Type.Optional(name),
  type: Type.Optional(
    Enum(['F1', 'F2'], { description: 'Tipo de las facturas: F1 completa (si se omite) o F2 simplificada' }),
  ),
  client_id: Type.Optional(
    Described(Nullable(Uuid), 'Id del cliente, que no puede estar archivado. Solo una F2 puede no llevarlo'),
  ),
  series_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'Id de la serie de las facturas; si no se indica, la predeterminada de su tipo el día en que se hace cada una',
    ),
  ),
  description: Type.Optional(
    Nullable(
      Text(500, {
        description:
          'Asunto de las facturas. Puede llevar {month}, {month_name}, {quarter}, {year}, {period_start} y {period_end}, como notes y las líneas',
      }),
    ),
  ),
  currency: Type.Optional(
    Text(3, { pattern: '^[A-Z]{3}$', description: 'Solo EUR: no se conoce el cambio de un día futuro' }),
  ),
  frequency: Type.Optional(frequency),
  interval: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Cada cuántas unidades de frequency; 1 si se omite',
    }),
  ),
  starts_on: Type.Optional(starts_on),
  ends_on: Type.Optional(
    Described(Nullable(DayText), 'Último día en que puede hacerse una, YYYY-MM-DD; null, sin final'),
  ),
  max_occurrences: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 1200,
        description: 'Cuántas facturas hace como máximo; null, sin límite',
      }),
    ),
  ),
  auto_issue: Type.Optional(
    Type.Boolean({ description: 'Emite cada factura el día que toca; false si se omite: queda en borrador' }),
  ),
  auto_send: Type.Optional(
    Type.Boolean({
      description: 'Envía por correo cada factura emitida; necesita auto_issue. false si se omite',
    }),
  ),
  send_to: Type.Optional(
    Nullable(
      Text(254, {
        description: 'Dirección a la que se envían; si se omite, los billing_emails del cliente o su email',
      }),
    ),
  ),
  payment_terms_days: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 365,
        description: 'Días desde la fecha de cada factura hasta su vencimiento; null, los del cliente',
      }),
    ),
  ),
};

export const newRecurringInput = {
  name,
  frequency,
  starts_on,
  status: Type.Optional(
    Enum(['active', 'paused'], {
      description: 'active (si se omite) o paused, que no hace nada hasta reanudarse',
    }),
  ),
};

const LastErrorSchema = Type.Object({
  code: Type.String({ description: 'Código del error' }),
  message: Type.String({ description: 'Por qué no se pudo hacer la factura' }),
  param: Nullable(Type.String({ description: 'Campo que hay que corregir' })),
  occurrence_on: Described(DayText, 'El día de la factura que no se pudo hacer'),
  at: Described(Timestamp, 'Cuándo se intentó por última vez'),
  attempts: Type.Integer({ description: 'Días en que se ha intentado; con 5 queda en pausa' }),
});

export const recurringShown = {
  object: { name: Type.String({ description: 'Nombre' }) },
  series: { type: Enum(['F1', 'F2'], { description: 'Tipo de las facturas que hace' }) },
  status: {
    frequency,
    interval: Type.Integer({ description: 'Cada cuántas unidades de frequency' }),
    starts_on: Described(DayText, 'Día desde el que se cuentan todos, YYYY-MM-DD'),
    ends_on: Described(Nullable(DayText), 'Último día en que puede hacerse una, YYYY-MM-DD'),
    max_occurrences: Nullable(Type.Integer({ description: 'Cuántas facturas hace como máximo' })),
    next_occurrence_on: Described(
      Nullable(DayText),
      'El día de la próxima factura, YYYY-MM-DD; null si no está activa',
    ),
    next_run_at: Described(
      Nullable(Timestamp),
      'Cuándo se hará la próxima: a las 06:00 de la empresa; tras un fallo, cuándo se intenta de nuevo',
    ),
    occurrences_count: Type.Integer({ description: 'Facturas que ha hecho' }),
    last_run_at: Described(Nullable(Timestamp), 'Cuándo hizo la última'),
    last_invoice_id: Described(Nullable(Uuid), 'Id de la última que hizo'),
    last_error: Described(
      Nullable(LastErrorSchema),
      'Por qué no se pudo hacer la próxima; null si no ha fallado',
    ),
    auto_issue: Type.Boolean({ description: 'Emite las facturas; si no, quedan en borrador' }),
    auto_send: Type.Boolean({ description: 'Las envía por correo' }),
    send_to: Nullable(Type.String({ description: 'Dirección a la que las envía; null, las del cliente' })),
    payment_terms_days: Nullable(
      Type.Integer({ description: 'Días hasta el vencimiento; null, los del cliente' }),
    ),
  },
};

export const recurringReadOnly = [
  'next_occurrence_on',
  'next_run_at',
  'occurrences_count',
  'last_run_at',
  'last_invoice_id',
  'last_error',
] as const;

const instant = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString());

export function presentOwn({ document: row }: { document: RecurringRow }): Record<string, unknown> {
  return {
    name: row.name,
    type: row.type,
    frequency: row.frequency,
    interval: row.interval,
    starts_on: row.starts_on,
    ends_on: row.ends_on,
    max_occurrences: row.max_occurrences,
    next_occurrence_on: row.next_occurrence_on,
    next_run_at: instant(row.next_run_at),
    occurrences_count: row.occurrences_count,
    last_run_at: instant(row.last_run_at),
    last_invoice_id: row.last_invoice_id,
    last_error: row.last_error,
    auto_issue: row.auto_issue,
    auto_send: row.auto_send,
    send_to: row.send_to,
    payment_terms_days: row.payment_terms_days,
  };
}

import { numberedThings, type SeriesKind, seriesKinds } from '../../domain/sales/default-series.ts';
import { NUMBER_TEXT_MAX, periodKey, SERIES_CODE_MAX, type SeriesReset } from '../../domain/series-format.ts';
import { resourceInputs } from '../../kernel/resource-input.ts';
import {
  Described,
  Enum,
  Nullable,
  type Static,
  Name,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';

const resets = ['never', 'year', 'month'] as const;

/** No format whose numbers fit in the record's 60 characters is longer. */
const FORMAT_MAX = 2 * NUMBER_TEXT_MAX;

/** Each kind with what it numbers. */
export const kindTexts = seriesKinds.map((kind) => `${kind} ${numberedThings[kind]}`).join(', ');

const writable = {
  code: Name(SERIES_CODE_MAX, {
    minLength: 1,
    description: 'Código, único en la empresa: lo que {code} pone en el número',
  }),
  name: Nullable(
    Name(120, { minLength: 1, description: 'Nombre con el que se la reconoce; no va en el número' }),
  ),
  document_type: Enum(seriesKinds, {
    description: `Qué numera, que no cambia después: ${kindTexts}`,
  }),
  format: Text(FORMAT_MAX, {
    minLength: 1,
    description:
      'Cómo se escribe el número: texto con {code}, {year}, {yy}, {month} y, una sola vez, {number:N} con N cifras como mínimo; por ejemplo {code}{year}-{number:6}. Lleva el año si la numeración vuelve a empezar cada año, y también el mes si cada mes',
  }),
  reset: Enum(resets, {
    description:
      'Cuándo vuelve a empezar la numeración: year cada año (si se omite), month cada mes, never nunca',
  }),
  next_number: Type.Integer({
    minimum: 1,
    maximum: 999_999_999,
    description:
      'Número que recibirá el siguiente documento; 1 si se omite al crearla. El del primero vale también si el año o el mes cambia antes; los períodos siguientes empiezan en 1',
  }),
};

export const seriesReadOnly = [
  'id',
  'object',
  'document_type',
  'is_default',
  'is_archived',
  'created_at',
  'updated_at',
] as const;

export const { create: CreateSeriesInput, update: UpdateSeriesInput } = resourceInputs(writable, {
  required: ['code', 'document_type'],
  read_only: seriesReadOnly,
});

export type SeriesInput = Static<typeof UpdateSeriesInput>;

export const Series = Type.Object({
  id: Described(Uuid, 'Id de la serie'),
  object: Type.Literal('series'),
  ...writable,
  is_default: Type.Boolean({ description: 'Es la que se usa cuando un documento de su tipo no dice otra' }),
  is_archived: Type.Boolean({ description: 'Ya no da números' }),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
});

/** `first_number` is that of the very first document. */
export type SeriesFields = {
  code: string;
  name: string | null;
  document_type: SeriesKind;
  format: string;
  reset: SeriesReset;
  first_number: number;
};

/** With the counter of the current period; null when that period has none yet. */
export type SeriesRow = SeriesFields & {
  id: string;
  is_default: boolean;
  is_archived: boolean;
  period_next: number | null;
  has_issued: boolean;
  created_at: Date;
  updated_at: Date;
};

/** In the current period. Only the first period starts at `first_number`. */
export function nextNumber(row: Pick<SeriesRow, 'period_next' | 'has_issued' | 'first_number'>): number {
  return row.period_next ?? (row.has_issued ? 1 : row.first_number);
}

/** For queries that read many series at once. */
export function periodsOf(today: string): Record<SeriesReset, string> {
  return {
    never: periodKey('never', today),
    year: periodKey('year', today),
    month: periodKey('month', today),
  };
}

export function present(row: SeriesRow) {
  return {
    id: row.id,
    object: 'series',
    code: row.code,
    name: row.name,
    document_type: row.document_type,
    format: row.format,
    reset: row.reset,
    next_number: nextNumber(row),
    is_default: row.is_default,
    is_archived: row.is_archived,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

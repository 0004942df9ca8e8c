/** What the fields of a series may be, and which are fixed once it has given a number. Pure decisions. */
import {
  type FormatParts,
  formatFault,
  isSeriesCode,
  parseFormat,
  type SeriesReset,
} from '../../../domain/series-format.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalid, refuseIssues } from '../../../kernel/resource-input.ts';
import type { SeriesFields, SeriesInput } from '../series.schema.ts';

/** Formats of a series that is created without one; each tells its periods apart. */
const usualFormats: Readonly<Record<SeriesReset, string>> = {
  never: '{code}-{number:6}',
  year: '{code}{year}-{number:6}',
  month: '{code}{year}{month}-{number:4}',
};

/** The fields of a new series; the numbering starts again each year when nothing is said. */
export function newSeriesFields(
  input: SeriesInput & Pick<SeriesFields, 'code' | 'document_type'>,
): SeriesFields {
  const reset = input.reset ?? 'year';
  return {
    code: input.code,
    name: input.name ?? null,
    document_type: input.document_type,
    format: input.format ?? usualFormats[reset],
    reset,
    first_number: input.next_number ?? 1,
  };
}

/**
 * The fields after an input. `next_number` sets where a series that has given no number starts; sent back
 * as it is shown it sets nothing.
 */
export function applySeriesInput(
  current: SeriesFields,
  input: SeriesInput,
  shown_next: number,
): SeriesFields {
  const { next_number = shown_next, document_type: _, ...rest } = input;
  const first_number = next_number === shown_next ? current.first_number : next_number;
  return { ...current, ...rest, first_number };
}

/** What the numbers of a series rest on: fixed once it has given one. */
const numberingFields = ['code', 'format', 'reset', 'next_number'] as const;

/** The first field of an input that would change the numbers of a series, shown as it is now; undefined for none. */
export function changedNumbering(
  shown: Pick<SeriesFields, 'code' | 'format' | 'reset'> & { next_number: number },
  input: SeriesInput,
): (typeof numberingFields)[number] | undefined {
  return numberingFields.find((name) => input[name] !== undefined && input[name] !== shown[name]);
}

/**
 * The format of the fields, read.
 * @throws 422 parameter_invalid for a code or a format that numbers cannot be made of
 */
export function readSeriesFormat(fields: SeriesFields): FormatParts {
  const issues: FieldIssue[] = [];
  if (!isSeriesCode(fields.code)) {
    issues.push(
      invalid(
        'code',
        'Solo admite caracteres ASCII imprimibles, sin " \' < > = { } ni espacios en los extremos.',
      ),
    );
  }
  const parts = parseFormat(fields.format);
  const fault = 'fault' in parts ? parts : formatFault(parts, fields.reset);
  if (fault) issues.push(invalid('format', fault.message));
  refuseIssues(issues);
  return parts as FormatParts;
}

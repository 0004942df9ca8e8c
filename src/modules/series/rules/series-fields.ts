import {
  type FormatParts,
  formatFault,
  isSeriesCode,
  parseFormat,
  type SeriesReset,
} from '../../../domain/series-format.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import type { SeriesFields, SeriesInput } from '../series.schema.ts';

/** For series created without one. Each distinguishes its periods. */
const usualFormats: Readonly<Record<SeriesReset, string>> = {
  never: '{code}-{number:6}',
  year: '{code}{year}-{number:6}',
  month: '{code}{year}{month}-{number:4}',
};

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

/** `next_number` sets where a series without numbers starts; the shown value changes nothing. */
export function applySeriesInput(
  current: SeriesFields,
  input: SeriesInput,
  shown_next: number,
): SeriesFields {
  const { next_number = shown_next, document_type: _, ...rest } = input;
  const first_number = next_number === shown_next ? current.first_number : next_number;
  return { ...current, ...rest, first_number };
}

/** Fixed once the series has given a number. */
const numberingFields = ['code', 'format', 'reset', 'next_number'] as const;

/** The first field whose change would change given numbers. @param shown the series as it is now */
export function changedNumbering(
  shown: Pick<SeriesFields, 'code' | 'format' | 'reset'> & { next_number: number },
  input: SeriesInput,
): (typeof numberingFields)[number] | undefined {
  return numberingFields.find((name) => input[name] !== undefined && input[name] !== shown[name]);
}

/** @throws 422 parameter_invalid when no number can be made of code or format */
export function readSeriesFormat(fields: SeriesFields): FormatParts {
  const issues: FieldIssue[] = [];
  if (!isSeriesCode(fields.code)) {
    issues.push(
      invalidField(
        'code',
        'Solo admite caracteres ASCII imprimibles, sin " \' < > = { } ni espacios en los extremos.',
      ),
    );
  }
  const parts = parseFormat(fields.format);
  const fault = 'fault' in parts ? parts : formatFault(parts, fields.reset, fields.code.length);
  if (fault) issues.push(invalidField('format', fault.message));
  refuseIssues(issues);
  return parts as FormatParts;
}

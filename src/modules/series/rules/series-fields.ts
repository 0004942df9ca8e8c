/** What the fields of a series may be, and which are fixed once it has given a number. Pure decisions. */
import {
  type FormatParts,
  formatFault,
  isSeriesCode,
  parseFormat,
  type SeriesReset,
} from '../../../domain/series-format.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { changedKeys, invalid, refuseIssues } from '../../../kernel/resource-input.ts';
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
 * The fields after an input. `next_number` sets where the numbering starts, unless it is the present one.
 * @param present_next the number shown as next now
 */
export function applySeriesInput(
  current: SeriesFields,
  input: SeriesInput,
  present_next: number,
): SeriesFields {
  const { next_number, document_type: _, ...rest } = input;
  const first_number =
    next_number === undefined || next_number === present_next ? current.first_number : next_number;
  return { ...current, ...rest, first_number };
}

const fixedOnceIssued = {
  code: 'code',
  format: 'format',
  reset: 'reset',
  first_number: 'next_number',
} as const;

/** The first field, as the wire names it, that may not change because the series has given a number. */
export function fixedFieldChanged(before: SeriesFields, after: SeriesFields): string | undefined {
  const changed = changedKeys(before, after).find((name) => Object.hasOwn(fixedOnceIssued, name));
  return changed === undefined ? undefined : fixedOnceIssued[changed as keyof typeof fixedOnceIssued];
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

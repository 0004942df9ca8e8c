/** Whether a line is taxed, and why if it is not. */
import type { Qualification } from '../tax/record-codes.ts';
import type { LineInput } from './line-input.ts';

type Cause = { qualification: string | null; exemption_reason: string | null };

/**
 * A line's own qualification or exemption replaces both of `taken`; null replaces only its own.
 * @param taken from its tax or its client
 */
export function causeOf(
  line: Pick<LineInput, 'qualification' | 'exemption_reason'>,
  taken: Cause | null,
): { qualification: Qualification | null; exemption_reason: string | null } {
  const exemption_reason =
    line.exemption_reason === undefined && !line.qualification
      ? (taken?.exemption_reason ?? null)
      : (line.exemption_reason ?? null);
  const stated =
    line.qualification === undefined && !line.exemption_reason
      ? (taken?.qualification ?? null)
      : (line.qualification ?? null);
  const qualification = (stated as Qualification | null) ?? (exemption_reason === null ? 'S1' : null);
  return { qualification, exemption_reason };
}

/**
 * A change of mode has a day (RD 1007/2023, art. 16).
 * It holds from that day's first instant, even before a job has written it down.
 */
import type { CompanyContext } from '../../../../kernel/operation.ts';
import type { RemissionMode } from '../../record.ts';

export const remissionModes = ['verifactu', 'no_verifactu'] as const satisfies readonly RemissionMode[];

type Modes = Pick<CompanyContext, 'verifactu_mode' | 'verifactu_next_mode' | 'verifactu_next_on'>;

/** @returns null while VeriFactu is off */
export function modeOn(company: Modes, today: string): RemissionMode | null {
  const { verifactu_mode, verifactu_next_mode, verifactu_next_on } = company;
  if (verifactu_next_mode === null || verifactu_next_on === null || today < verifactu_next_on)
    return verifactu_mode;
  return verifactu_next_mode === 'off' ? null : verifactu_next_mode;
}

/** Whether events are logged: no-verifactu mode holds, and its first event is there, which waits for somebody who can sign. */
export function isLogging(company: Modes, today: string): boolean {
  return company.verifactu_mode === 'no_verifactu' && modeOn(company, today) === 'no_verifactu';
}

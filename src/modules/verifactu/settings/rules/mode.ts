/**
 * In which mode a company keeps its records on a day. Whoever starts to send must go on until 31 December
 * (RD 1007/2023, art. 16; VeriFactu facts, section 2), so a change has a day and holds from its first instant,
 * whether or not anybody has written it down by then.
 */
import type { CompanyContext } from '../../../../kernel/operation.ts';
import type { RemissionMode } from '../../record.ts';

export const remissionModes = ['verifactu', 'no_verifactu'] as const satisfies readonly RemissionMode[];

type Modes = Pick<CompanyContext, 'verifactu_mode' | 'verifactu_next_mode' | 'verifactu_next_on'>;

/** The mode of the company's day; null while VeriFactu is off. */
export function modeOn(company: Modes, today: string): RemissionMode | null {
  const { verifactu_mode, verifactu_next_mode, verifactu_next_on } = company;
  if (verifactu_next_mode === null || verifactu_next_on === null || today < verifactu_next_on)
    return verifactu_mode;
  return verifactu_next_mode === 'off' ? null : verifactu_next_mode;
}

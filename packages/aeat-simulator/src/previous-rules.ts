/**
 * What the authority must hold for a record to enter: the matrix of Subsanacion, RechazoPrevio and
 * SinRegistroPrevio. A number once registered is never taken again, not even after an anulación.
 */
import type { BillingRecord } from './records.ts';
import type { SimulatorRow } from './store.ts';

/** Who sends: the certificate's holder. */
export type Presenter = { nif: string; taxpayer_nif: string };

/** The code that refuses the record against what is held, or null. 3000 tells what is held. */
export function judgePrevious(
  record: BillingRecord,
  held: SimulatorRow | undefined,
  presenter: Presenter,
): number | null {
  const wants_nothing = wantsNothingHeld(record);
  if (!held) return wants_nothing ? null : 3002;
  if (wants_nothing) return 3000;
  if (held.origin === 'form') return 3004;
  if (isOfAnotherPresenter(held, presenter)) return 3003;
  const is_first_try = record.rejected_before !== 'S';
  return record.operation === 'Anulacion' && held.state === 'Anulada' && is_first_try ? 3001 : null;
}

function wantsNothingHeld(record: BillingRecord): boolean {
  if (record.operation === 'Anulacion') return record.without_previous === 'S';
  return record.subsanacion !== 'S' || record.rejected_before === 'X';
}

/** Two third parties may not change each other's records; the taxpayer, and who acts after the taxpayer, may. */
function isOfAnotherPresenter({ presenter_nif }: SimulatorRow, { nif, taxpayer_nif }: Presenter): boolean {
  return presenter_nif !== nif && presenter_nif !== taxpayer_nif && nif !== taxpayer_nif;
}

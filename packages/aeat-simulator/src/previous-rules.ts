/**
 * What the authority must hold to accept a record, by Subsanacion, RechazoPrevio and SinRegistroPrevio.
 * It never accepts a registered number again, not even after an anulación.
 */
import type { BillingRecord } from './records.ts';
import type { SimulatorRow } from './store.ts';

/** The holder of the sender's certificate. */
export type Presenter = { nif: string; taxpayer_nif: string };

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

/** A third party may not change another's records. The taxpayer may, and anyone may change the taxpayer's. */
function isOfAnotherPresenter({ presenter_nif }: SimulatorRow, { nif, taxpayer_nif }: Presenter): boolean {
  return presenter_nif !== nif && presenter_nif !== taxpayer_nif && nif !== taxpayer_nif;
}

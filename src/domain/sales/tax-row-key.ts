import type { TaxRow } from './rows.ts';

type Keys = Pick<
  TaxRow,
  'tax_kind' | 'regime_key' | 'qualification' | 'exemption_reason' | 'tax_rate' | 'surcharge_rate'
>;

/** Says in which row of the breakdown a line is. Both are written alike. */
export const taxRowKey = (one: Keys): string =>
  [
    one.tax_kind,
    one.regime_key,
    one.qualification,
    one.exemption_reason,
    one.tax_rate,
    one.surcharge_rate,
  ].join();

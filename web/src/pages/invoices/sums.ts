/** The sums below the lines, in the order in which they add up. */
import type { Invoice } from '../../printed/resources.ts';

export type Sums = Pick<
  Invoice,
  'subtotal' | 'taxes_total' | 'surcharge_total' | 'retention_total' | 'total' | 'amount_due'
>;
type Name = 'subtotal' | 'taxes' | 'surcharge' | 'total' | 'retention' | 'amount_due';

/** A retention is taken from the total: what is left is due. */
export function sumsOf(of: Sums): [name: Name, amount: number][] {
  const surcharge: [Name, number][] = of.surcharge_total === 0 ? [] : [['surcharge', of.surcharge_total]];
  const retention: [Name, number][] =
    of.retention_total === 0
      ? []
      : [
          ['retention', -of.retention_total],
          ['amount_due', of.amount_due],
        ];
  return [
    ['subtotal', of.subtotal],
    ['taxes', of.taxes_total],
    ...surcharge,
    ['total', of.total],
    ...retention,
  ];
}

/** What a new line says of its tax until somebody chooses one. */
import type { Client } from '../../printed/resources.ts';

/** The tax of a line of which nobody has chosen one. */
export const unchosen = 'unchosen';

/** Nothing: the service has a tax for the client or the company. */
const ofService = '';
const commonRate = 'rate:21';

/** The surcharge comes with a rate, which the line says. */
const decidingRegimes: ReadonlySet<Client['preferred_operation_regime']> = new Set([
  'intra_community',
  'export',
  'exempt',
  'reverse_charge',
]);

type ClientTax = Pick<Client, 'preferred_operation_regime' | 'default_taxes_id' | 'default_vat_rate'>;

type CompanyTax = {
  /** Of its invoices, if it has one. */
  rate: number | null;
  /** Of such rates. */
  default_kind: string;
  taxes: readonly { kind: string }[];
};

/** A company with IGIC or IPSI has no common rate: where the service has none either, the line is refused until one is chosen. */
export function usualTax(client: ClientTax | null, { rate, default_kind, taxes }: CompanyTax): string {
  const is_of_client =
    client !== null &&
    (client.default_taxes_id !== null ||
      client.default_vat_rate !== null ||
      decidingRegimes.has(client.preferred_operation_regime));
  const is_elsewhere = default_kind !== 'vat' || taxes.some(({ kind }) => kind === 'igic' || kind === 'ipsi');
  return is_of_client || is_elsewhere || rate !== null ? ofService : commonRate;
}

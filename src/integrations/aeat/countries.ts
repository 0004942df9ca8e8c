/**
 * The countries that the authority's schemas list. That of records is the module's own, since invoices are checked
 * against it before they are issued; that of events lacks Réunion.
 */
import { acceptedCountries } from '../../modules/verifactu/index.ts';

export const recordCountries: ReadonlySet<string> = acceptedCountries;

export const eventCountries: ReadonlySet<string> = new Set(
  [...acceptedCountries].filter((country) => country !== 'RE'),
);

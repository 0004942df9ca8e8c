/** The list for events lacks Réunion. */
import { acceptedCountries } from '../../modules/verifactu/ports.ts';

export const recordCountries: ReadonlySet<string> = acceptedCountries;

export const eventCountries: ReadonlySet<string> = new Set(
  [...acceptedCountries].filter((country) => country !== 'RE'),
);

/** The company's own record, read once for all pages. */
import type { Company } from '../../../src/modules/companies/companies.schema.ts';
import { call, type One, type Wire } from './operation.ts';
import { useRead } from './reading.ts';

export const getCompany = call<{ answer: One<Wire<typeof Company>> }>('get_company');

export const useCompanyDetails = () => useRead(getCompany, {});

/** Madrid until it is known. */
export function useCompanyZone(): string {
  return useCompanyDetails().data?.data.time_zone ?? 'Europe/Madrid';
}

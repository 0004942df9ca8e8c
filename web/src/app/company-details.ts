/** The company's own record, read once for all pages. */
import { useContext } from 'react';
import type { Company } from '../../../src/modules/companies/companies.schema.ts';
import { CompanyContext } from './company.ts';
import { call, type One, type Wire } from './operation.ts';
import { useRead, useReadIn } from './reading.ts';

export const getCompany = call<{ answer: One<Wire<typeof Company>> }>('get_company');

export const useCompanyDetails = () => useRead(getCompany, {});

/** Madrid until it is known, and outside of any company. */
export function useCompanyZone(): string {
  const company = useContext(CompanyContext);
  return useReadIn(company?.id ?? null, getCompany, {}).data?.data.time_zone ?? 'Europe/Madrid';
}

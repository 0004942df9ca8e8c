/**
 * Each company as this process read it last (ADR 90). Statements that depend on the company's row may be sent by this
 * guess. It decides nothing: the row that comes says whether it was right.
 */
import type { CompanyContext } from '../kernel/operation.ts';
import { dayIn } from '../kernel/dates.ts';
import { type CompanyClock, companyTime } from './clock.ts';

type Seen = { company: CompanyContext; clock: CompanyClock };
export type Supposed = { company: CompanyContext; today: string };

const companiesMax = 10_000;
const seen = new Map<string, Seen>();

export function noteCompany(company_id: string, company: CompanyContext, clock: CompanyClock): void {
  if (seen.size >= companiesMax && !seen.has(company_id)) seen.clear();
  seen.set(company_id, { company, clock });
}

/** @returns undefined for a company that was not read before */
export function supposeCompany(company_id: string, real_now: Date): Supposed | undefined {
  const known = seen.get(company_id);
  if (!known) return undefined;
  const { company, clock } = known;
  return { company, today: dayIn(company.time_zone, companyTime(clock, real_now)) };
}

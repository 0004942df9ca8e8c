/** The tier of a company: what its plan gives, or an active capacity boost when that is higher. */
import { higherTier, type PlanName } from '../../../kernel/plans.ts';

/** @param now real time: a boost is bought for so long, whatever a sandbox clock says */
export function tierOf(
  company: { plan: string; boost_tier: string | null; boost_until: Date | null },
  now: Date,
): string {
  const is_boosted = company.boost_tier !== null && company.boost_until !== null && company.boost_until > now;
  return is_boosted ? higherTier(company.plan as PlanName, company.boost_tier as PlanName) : company.plan;
}

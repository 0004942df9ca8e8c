/** Configuration may replace a plan's requests a minute. A capacity boost lifts the tier, never the modules. */

/** From smallest to largest. A tier has its plan's name. */
export const planNames = ['free', 'starter', 'growth', 'scale'] as const;
export type PlanName = (typeof planNames)[number];
export type Tier = PlanName;

export const planModuleNames = ['time_control', 'accountancy', 'automations', 'stores'] as const;
export type PlanModule = (typeof planModuleNames)[number];

/** Requests a minute of one key; recipients of e-mails a day of the company. */
export type Plan = {
  readonly tier: Tier;
  readonly modules: readonly PlanModule[];
  readonly reads_per_minute: number;
  readonly writes_per_minute: number;
  readonly email_recipients_per_day: number;
};

export const plans: Readonly<Record<PlanName, Plan>> = {
  free: {
    tier: 'free',
    modules: [],
    reads_per_minute: 60,
    writes_per_minute: 60,
    email_recipients_per_day: 100,
  },
  starter: {
    tier: 'starter',
    modules: [],
    reads_per_minute: 300,
    writes_per_minute: 120,
    email_recipients_per_day: 1000,
  },
  growth: {
    tier: 'growth',
    modules: ['time_control'],
    reads_per_minute: 1200,
    writes_per_minute: 600,
    email_recipients_per_day: 5000,
  },
  scale: {
    tier: 'scale',
    modules: planModuleNames,
    reads_per_minute: 6000,
    writes_per_minute: 3000,
    email_recipients_per_day: 20_000,
  },
};

export function planModules(plan: PlanName): readonly PlanModule[] {
  return plans[plan].modules;
}

export function higherTier(one: Tier, other: Tier): Tier {
  return planNames.indexOf(one) < planNames.indexOf(other) ? other : one;
}

/**
 * The tier of the plan or of an active boost, whichever is higher.
 * @param now real time, whatever a sandbox clock says
 */
export function tierOf(
  company: { plan: string; boost_tier: string | null; boost_until: Date | null },
  now: Date,
): Tier {
  const plan = company.plan as PlanName;
  const { boost_tier, boost_until } = company;
  const is_boosted = boost_tier !== null && boost_until !== null && boost_until > now;
  return is_boosted ? higherTier(plan, boost_tier as Tier) : plan;
}

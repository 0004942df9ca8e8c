/** Printed by `npm run print`; do not edit. */

type PlanLimits = {
  reads_per_minute: number;
  writes_per_minute: number;
  email_recipients_per_day: number;
};

export const planLimits: Readonly<Record<string, PlanLimits>> = {
  free: {"reads_per_minute":60,"writes_per_minute":60,"email_recipients_per_day":100},
  starter: {"reads_per_minute":300,"writes_per_minute":120,"email_recipients_per_day":1000},
  growth: {"reads_per_minute":1200,"writes_per_minute":600,"email_recipients_per_day":5000},
  scale: {"reads_per_minute":6000,"writes_per_minute":3000,"email_recipients_per_day":20000},
};

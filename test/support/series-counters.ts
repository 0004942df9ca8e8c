/** Sets counters as issuing leaves them. */
import type { App } from '../harness.ts';

export async function countNumbers(
  app: App,
  company_id: string,
  series_id: string,
  next_by_period: Record<string, number>,
): Promise<void> {
  for (const [period, next_number] of Object.entries(next_by_period)) {
    await app.sql`
      insert into series_counters (company_id, series_id, period, next_number)
      values (${company_id}, ${series_id}, ${period}, ${next_number})`;
  }
}

/** Summaries before a shutdown (Orden HAC/1177/2024, art. 9). The next one tells what this one had no time for. */
import type { Ports } from '../../../kernel/ports.ts';
import type { Clock } from '../../../platform/clock.ts';
import { loadCompany } from '../../../platform/company-context.ts';
import type { Database } from '../../../platform/db.ts';
import { listCompaniesWith } from '../../../platform/due-work.ts';
import { dueKind } from '../../../platform/jobs.ts';
import { logSummary } from './event-summary.ts';
import { eventLogKind } from './pending-events.ts';
import { isLogging } from '../settings/rules/mode.ts';

const companiesMax = 1000;

/** @param limit_ms after this time no further company is begun */
export async function logClosingSummaries(
  db: Database,
  ports: Ports,
  clock: Clock,
  limit_ms: number,
): Promise<void> {
  const until = performance.now() + limit_ms;
  const found = await listCompaniesWith(db.index, dueKind(eventLogKind), companiesMax);
  for (const company_id of found) {
    if (performance.now() > until) return;
    await db.transaction(company_id, async (tx) => {
      const { company, now, today } = await loadCompany(tx, company_id, clock.now());
      if (isLogging(company, today)) await logSummary({ tx, ports, company, now, today });
    });
  }
}

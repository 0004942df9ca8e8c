/** What the database knows of all processes: each process tells the same (docs/monitoring.md). */
import { Gauge, type Registry } from 'prom-client';
import type { DueDepth, QueueDepth } from '../platform/due-depth.ts';
import { remembered } from '../platform/remembered.ts';
import type { EndSum, WatchedSum } from '../platform/watched.ts';

/** One look at the database. */
export type DatabaseLook = {
  due: DueDepth;
  emails: { outbox: 'documents' | 'accounts'; queue: QueueDepth }[];
  waiting: readonly WatchedSum[];
  ends: readonly EndSum[];
  holds_row_security: boolean;
};

export type DatabaseSources = {
  look(): Promise<DatabaseLook>;
  /** Of this process. */
  now(): Date;
};

/** Anybody may ask, so the database answers at most one look in this time. */
const rememberedMs = 5000;

/** @returns what makes the figures current; it never throws */
export function watchDatabase(registry: Registry, { look, now }: DatabaseSources): () => Promise<void> {
  const gauges = makeGauges(registry);
  const secondsSince = (at: Date) => Math.max(0, (now().getTime() - at.getTime()) / 1000);
  return remembered(rememberedMs, async () => {
    const { answers, skew, row_security, ...figures } = gauges;
    // The last figures of a database that is away no longer hold.
    for (const gauge of Object.values(figures)) gauge.reset();
    for (const gauge of [skew, row_security]) gauge.remove();
    try {
      const { due, emails, waiting, ends, holds_row_security } = await look();
      skew.set((now().getTime() - due.now.getTime()) / 1000);
      for (const { kind, jobs, oldest_at } of due.kinds) {
        figures.due_jobs.set({ kind }, jobs);
        figures.due_seconds.set({ kind }, secondsSince(oldest_at));
      }
      for (const { outbox, queue } of emails) {
        figures.emails.set({ outbox }, queue.waiting);
        figures.email_seconds.set({ outbox }, queue.oldest_at ? secondsSince(queue.oldest_at) : 0);
      }
      for (const { kind, things, oldest_at } of waiting) {
        const [what, state] = kind.split('_') as ['records' | 'endpoints', string];
        figures[what].set({ state }, things);
        figures[`${what}_seconds`].set({ state }, oldest_at ? secondsSince(oldest_at) : 0);
      }
      for (const { kind, next_at, ended } of ends) {
        figures.ended.set({ of: kind }, ended);
        if (next_at) figures.left.set({ of: kind }, (next_at.getTime() - now().getTime()) / 1000);
      }
      row_security.set(holds_row_security ? 1 : 0);
      answers.set(1);
    } catch {
      answers.set(0);
    }
  });
}

function makeGauges(registry: Registry) {
  // Each process tells the same figures: of several, the worst one holds, never their sum.
  const gauge = (name: string, help: string, labelNames: string[] = [], aggregator: 'max' | 'min' = 'max') =>
    new Gauge({ name, help, labelNames, aggregator, registers: [registry] });
  return {
    due_jobs: gauge(
      'folio_due_jobs',
      'Jobs that are due and not in progress, by kind; 10,000 of the oldest are counted.',
      ['kind'],
    ),
    due_seconds: gauge('folio_due_seconds', 'How long the oldest due job of a kind has waited.', ['kind']),
    emails: gauge('folio_emails', 'E-mails that wait to be sent, by outbox; 10,000 at most are counted.', [
      'outbox',
    ]),
    email_seconds: gauge(
      'folio_emails_seconds',
      'How long the oldest waiting e-mail has waited, by outbox.',
      ['outbox'],
    ),
    records: gauge('folio_records', 'Billing records of live companies that are not accepted, by state.', [
      'state',
    ]),
    records_seconds: gauge('folio_records_seconds', 'Since when the oldest of these records waits.', [
      'state',
    ]),
    endpoints: gauge('folio_endpoints', 'Webhook endpoints that get nothing, by state.', ['state']),
    endpoints_seconds: gauge(
      'folio_endpoints_seconds',
      'Since when the first of these endpoints gets nothing.',
      ['state'],
    ),
    left: gauge(
      'folio_left_seconds',
      'Seconds to the next end of a certificate or representation of a live company.',
      ['of'],
      'min',
    ),
    ended: gauge('folio_ended', 'Live companies whose certificate or representation has ended.', ['of']),
    row_security: gauge(
      'folio_row_security_holds',
      "1 when the role in use is bound by row-level security, and every company's table has it.",
      [],
      'min',
    ),
    skew: gauge('folio_clock_skew_seconds', "This machine's clock less the database's."),
    answers: gauge(
      'folio_database_answers',
      '1 when the database answered this look, else 0; the figures that it gives are left out then.',
      [],
      'min',
    ),
  };
}

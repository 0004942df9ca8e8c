/** Every background job that the worker can run. */
import type { JobHandler } from '../platform/worker.ts';
import { purgePreviousSecret } from './api-keys/api-keys.jobs.ts';
import { companyDaily, lookAndWork, realDaily } from './companies/companies.jobs.ts';
import { makeEmailJob } from './emails/index.ts';
import { emailedDocumentsOf, families } from './families.ts';
import { lockInvoices } from './invoices/index.ts';
import { eventLog } from './verifactu/event-log/event-log.jobs.ts';
import { nextWarningDay, resealCertificateKey, watchCertificates } from './verifactu/identity/expiry.jobs.ts';
import { makeSender } from './verifactu/sending/sender.jobs.ts';
import { changeMode } from './verifactu/settings/change-mode.jobs.ts';
import { markOverdue, markOverdueEvents, markOverdueKind, nextOverdue } from './invoices/invoices.jobs.ts';
import { expireProformas } from './proformas/index.ts';
import { forgetFiles, processScan } from './purchase-scans/index.ts';
import { expireQuotes } from './quotes/index.ts';
import { nextReminders, sendDueReminders, remindRest, remindRestKind } from './invoices/reminders.jobs.ts';
import { nextAfterRun, rezoneRecurrences, runRecurrence } from './recurring-invoices/index.ts';
import {
  deleteOldDeliveries,
  forgetEndpoint,
  recountEndpoints,
  resealWebhookSecrets,
} from './webhooks/webhooks.jobs.ts';

const realWork = {
  real_tasks: [resealCertificateKey, resealWebhookSecrets, recountEndpoints],
  purges: [deleteOldDeliveries],
};

/** @param all the families whose documents are sent by e-mail */
export const makeJobHandlers = (all = families): readonly JobHandler[] => [
  purgePreviousSecret,
  companyDaily({
    daily_tasks: [markOverdue, expireProformas.look, expireQuotes.look, sendDueReminders, watchCertificates],
    next_work: [
      nextOverdue,
      nextAfterRun,
      expireProformas.next,
      expireQuotes.next,
      nextReminders,
      nextWarningDay,
    ],
    ...realWork,
    events: [...markOverdueEvents, ...expireProformas.events, ...expireQuotes.events],
  }),
  realDaily(realWork),
  { kind: markOverdueKind, run: lookAndWork(markOverdue), events: markOverdueEvents },
  ...[expireProformas, expireQuotes].map(({ kind, events, look }) => ({
    kind,
    events,
    run: lookAndWork(look),
  })),
  { kind: remindRestKind, run: remindRest },
  runRecurrence,
  rezoneRecurrences,
  changeMode,
  eventLog,
  makeSender({ lock: lockInvoices }),
  makeEmailJob(emailedDocumentsOf(all)),
  processScan,
  forgetFiles,
  forgetEndpoint,
];

export const jobHandlers = makeJobHandlers();

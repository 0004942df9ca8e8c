/** Each call writes one audit line. */
import type { Operation } from '../../src/kernel/operation.ts';
import { catalog } from '../../src/modules/catalog.ts';
import type { OutsideCtx } from '../../src/platform/job-handler.ts';
import type { JobHandler } from '../../src/platform/worker.ts';

export const auditedAction = 'invoice.issued_by_job';

export function findOperation(name: string): Operation {
  const operation = catalog.find((one) => one.name === name);
  if (!operation) throw new Error(`There is no operation ${name}.`);
  return operation;
}

function audited(name: string): Operation {
  const operation = findOperation(name);
  return {
    ...operation,
    handle(ctx, input, prefetched) {
      ctx.audit({ action: auditedAction, object: 'company', object_id: ctx.company.company_id });
      return operation.handle(ctx, input, prefetched);
    },
  };
}

const createInvoice = audited('create_invoice');
const issueInvoice = audited('issue_invoice');

type Intent = Record<string, unknown>;

function calling(kind: string, call: (intent: Intent, ctx: OutsideCtx) => Promise<unknown>): JobHandler {
  return {
    kind,
    outside: { begin: async ({ job }) => job.payload, call },
    run: async () => undefined,
  };
}

/** At the same hour. */
function nextMonth(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1, date.getUTCHours()));
}

/** The payload is the body of an invoice to create, or names the draft to issue. */
export const issuingJobs: readonly JobHandler[] = [
  calling('test.create', (body, { call }) => call(createInvoice, { body })),
  calling('test.issue', (params, { call }) => call(issueInvoice, { params })),
  {
    ...calling('test.monthly', (body, { call }) => call(createInvoice, { body })),
    run: async ({ job }) => ({ next_run_at: nextMonth(job.run_at) }),
  },
];

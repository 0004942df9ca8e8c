/** Facts may change between the two steps of an attempt. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobCtx } from '../../../test/support/job-ctx.ts';
import {
  givenPost,
  issueAndSend,
  mailEvents,
  readEmail,
  runDueWork,
} from '../../../test/support/mailed-invoices.ts';
import type { Ports } from '../../kernel/ports.ts';
import { loadCompany } from '../../platform/company-context.ts';
import type { JobCtx } from '../../platform/worker.ts';
import { emailedDocumentsOf, families } from '../families.ts';
import { makeEmailJob } from './email.jobs.ts';

test('given a document withdrawn when an attempt begins and restored when it ends, then the message is kept', async (t) => {
  let ports: Ports | undefined;
  const post = await givenPost(t, {
    wrap_ports(own) {
      ports = own;
      return own;
    },
  });
  const { app, company } = post;
  const { id, email } = await issueAndSend(post, { to: ['ana@example.com'], attach_pdf: false });
  const wanted = [false, true];
  const documents = emailedDocumentsOf(families);
  const { outside, run } = makeEmailJob({
    ...documents,
    invoice: { ...documents.invoice, isStillWanted: async () => wanted.shift() ?? true },
  });
  const { company_id } = company;
  const half = <R>(of: (ctx: JobCtx) => Promise<R>) =>
    app.db.transaction(company_id, async (tx) => {
      const loaded = await loadCompany(tx, company_id, app.clock.now());
      const emit = () => assert.fail('nothing has come to an end');
      return of(jobCtx(tx, loaded, ports!, { emit, job: { id, payload: { email_id: email.id } } }));
    });
  assert.equal(await half((ctx) => outside!.begin(ctx)), undefined);
  assert.ok(await half<unknown>((ctx) => run(ctx)), 'it is run again');
  assert.equal((await readEmail(post, email.id)).status, 'queued');
  await runDueWork(post);
  assert.deepEqual(await mailEvents(post, id), ['invoice.sent', 'invoice.email_sent']);
});

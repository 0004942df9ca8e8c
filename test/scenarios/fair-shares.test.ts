/** One company fills its share of what all share, and a quiet one is served meanwhile. Order counts, not time. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { makeCertificateReader } from '../../src/integrations/aeat/certificate-reader.ts';
import { CertificateFileError, readPkcs12 } from '../../src/integrations/aeat/pkcs12.ts';
import { makeWalkThreads } from '../../src/integrations/aeat/walk-threads.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { PrinterLate } from '../../src/modules/pdfs/index.ts';
import type { WalkPort } from '../../src/modules/verifactu/index.ts';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { makeTestCertificate } from '../support/certificates.ts';
import { givenPost } from '../support/mailed-invoices.ts';
import { mcpRequest } from '../support/mcp-client.ts';
import { TestPrinter } from '../support/test-printer.ts';

const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];

async function issue(app: App, key: string): Promise<string> {
  const body = { type: 'F2', lines, options: { issue: true } };
  const { status, body: answer, text } = await app.post('/v1/invoices', { key, body });
  assert.equal(status, 201, text);
  return answer.data.id;
}

async function issueMany(app: App, key: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await issue(app, key));
  return ids;
}

const pdf = (app: App, key: string, id: string) => app.get(`/v1/invoices/${id}/pdf`, { key });

async function withPrinter(t: TestContext, at_once: number) {
  const printer = Object.assign(new TestPrinter(), { at_once });
  const app = await startApp(t, { wrap_ports: printer.wrap });
  const untilPrinting = async (count: number) => {
    while (printer.printed.length < count) await turn();
  };
  return { app, printer, untilPrinting };
}

test('given a company that prints in both its environments, when another prints one document, then a printer is free for it', async (t) => {
  const { app, printer, untilPrinting } = await withPrinter(t, 2);
  const [hostile, quiet] = [await app.given.company(), await app.given.company()];
  const [live, test] = [await issueMany(app, hostile.live_key, 3), await issueMany(app, hostile.test_key, 2)];
  const one = await issue(app, quiet.live_key);
  printer.hold();
  const theirs = [
    ...live.map((id) => pdf(app, hostile.live_key, id)),
    ...test.map((id) => pdf(app, hostile.test_key, id)),
  ];
  await untilPrinting(1);
  // By then the others have arrived too.
  for (let i = 0; i < 5; i++) await app.get('/v1/account', { key: quiet.live_key });
  const ours = pdf(app, quiet.live_key, one);
  await untilPrinting(2);
  assert.equal(printer.printed[1]?.document.issuer.tax_id?.text, quiet.tax_id);
  printer.letGo();
  assert.equal((await ours).status, 200);
  for (const answer of await Promise.all(theirs)) assert.equal(answer.status, 200);
  assert.equal(printer.printed.length, 6);
});

test('given a company with all that it may let wait, when it prints one more, then it alone is refused', async (t) => {
  const { app, printer, untilPrinting } = await withPrinter(t, 2);
  const [hostile, quiet] = [await app.given.company(), await app.given.company()];
  const ids = await issueMany(app, hostile.live_key, 43);
  const one = await issue(app, quiet.live_key);
  printer.hold();
  const headers = { authorization: `Bearer ${hostile.live_key}` };
  // On a slow machine a caller may wait too long for a connection: another share refuses it, for 2 seconds.
  const ask = async (id: string, format: string): Promise<Response> => {
    const answer = await fetch(`${app.url}/v1/invoices/${id}/pdf?format=${format}`, { headers });
    return answer.headers.get('retry-after') === '2' ? ask(id, format) : answer;
  };
  const theirs = ids.flatMap((id) => ['a4', 'ticket_80', 'ticket_58'].map((format) => ask(id, format)));
  const refused = await Promise.any(theirs);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const { error } = (await refused.json()) as { error: { code: string } };
  assert.equal(error.code, 'company_share_exceeded');
  const ours = pdf(app, quiet.live_key, one);
  await untilPrinting(2);
  printer.letGo();
  assert.equal((await ours).status, 200);
  const statuses = (await Promise.all(theirs)).map(({ status }) => status);
  // Those that came after the printers were free again are printed too.
  assert.ok(statuses.filter((status) => status === 200).length >= 126);
  assert.ok(statuses.every((status) => status === 200 || status === 429));
});

test('given a document that was too slow to print, when it is opened again, then it is not tried again for minutes', async (t) => {
  const { app, printer } = await withPrinter(t, 2);
  const acme = await app.given.company();
  const [slow, other] = await issueMany(app, acme.live_key, 2);
  printer.fault = new PrinterLate();
  for (let i = 0; i < 3; i++) {
    const answer = await pdf(app, acme.live_key, slow!);
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'service_unavailable']);
    assert.ok(Number(answer.headers['retry-after']) > 200);
  }
  assert.equal(printer.printed.length, 1);
  printer.fault = null;
  assert.equal((await pdf(app, acme.live_key, other!)).status, 200);
});

test('given a company that uploads certificates without end, when another uploads one, then it is read next', async (t) => {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const reader = makeCertificateReader(async (bytes, password) => {
    begun.push(password);
    await gate.promise;
    if (password !== 'ours') throw new CertificateFileError('unreadable');
    return readPkcs12(bytes, password);
  });
  const app = await startApp(t, { wrap_ports: (ports) => ({ ...ports, certificates: reader }) });
  const [hostile, quiet] = [await app.given.company(), await app.given.company()];
  const fileOf = ({ tax_id }: TestCompany) => makeTestCertificate({ kind: 'seal', tax_id }).toPkcs12('ours');
  // The reader looks into none of theirs.
  const [hostile_file, quiet_file] = [fileOf(hostile), fileOf(quiet)];
  const upload = async (key: string, file: Buffer, password: string) => {
    const body = { pkcs12_base64: file.toString('base64'), password };
    return app.put('/v1/verifactu/certificate', { key, body });
  };
  const keys = [hostile.live_key, hostile.test_key];
  const theirs = Array.from({ length: 18 }, (_, i) => upload(keys[i % 2]!, hostile_file, `theirs ${i}`));
  const refused = await Promise.any(theirs);
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'company_share_exceeded']);
  const ours = upload(quiet.live_key, quiet_file, 'ours');
  while (begun.length < 2) await turn();
  assert.equal(begun[1], 'ours');
  gate.resolve();
  assert.equal((await ours).status, 200);
  const statuses = (await Promise.all(theirs)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 422).length, 17);
});

test('given a company that checks its chain without end, when another checks its own, then it is next, and no connection is held', async (t) => {
  const gate = Promise.withResolvers<void>();
  const begun: (string | null)[] = [];
  const walks = makeWalkThreads(null);
  const gated: WalkPort = {
    run: (owner_id, check) =>
      walks.run(owner_id, async (walker) => {
        begun.push(owner_id);
        await gate.promise;
        return check(walker);
      }),
  };
  const app = await startApp(t, {
    env: { FOLIO_POOL_SIZE: '2' },
    wrap_ports: (ports) => ({ ...ports, walks: gated }),
  });
  const [hostile, quiet] = [await app.given.company(), await app.given.company()];
  const check = (key: string) => app.post('/v1/verifactu/integrity-checks', { key, body: {} });
  const keys = [hostile.live_key, hostile.test_key];
  const theirs = Array.from({ length: 10 }, (_, i) => check(keys[i % 2]!));
  const refused = await Promise.any(theirs);
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'company_share_exceeded']);
  const ours = check(quiet.live_key);
  while (begun.length < 2) await turn();
  assert.deepEqual(begun, [hostile.company_id, quiet.company_id]);
  assert.equal((await app.get('/v1/account', { key: quiet.live_key })).status, 200);
  gate.resolve();
  assert.equal((await ours).body.data.is_intact, true);
  const statuses = (await Promise.all(theirs)).map(({ status }) => status);
  // On a slow machine the last ones wait for longer than anybody may.
  assert.ok(statuses.filter((status) => status === 201).length >= 1);
  assert.ok(statuses.every((status) => status === 201 || status === 429));
});

test('given a check of a chain that goes on, when its caller hangs up, over REST or as a tool, then it ends at its next step, and the next check begins', async (t) => {
  const walks = makeWalkThreads(null);
  const begun: PromiseWithResolvers<void>[] = [];
  const ended: Promise<unknown>[] = [];
  const held: WalkPort = {
    run(owner_id, check) {
      const work = walks.run(owner_id, (walker) =>
        check({
          ...walker,
          async beginRecords(...args) {
            begun.push(Promise.withResolvers());
            await begun.at(-1)!.promise;
            return walker.beginRecords(...args);
          },
        }),
      );
      ended.push(work.catch((fault: unknown) => (fault instanceof Problem ? fault.def.code : fault)));
      return work;
    },
  };
  const app = await startApp(t, { wrap_ports: (ports) => ({ ...ports, walks: held }) });
  const { live_key: key } = await app.given.company();
  const tool = mcpRequest('tools/call', { name: 'check_verifactu_integrity', arguments: {} });
  const json = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const calls = [
    ['/v1/verifactu/integrity-checks', { headers: { ...json, 'idempotency-key': 'check' }, body: '{}' }],
    ['/mcp', { headers: { ...tool.headers, ...json }, body: JSON.stringify(tool.body) }],
  ] as const;
  for (const [at, [path, options]] of calls.entries()) {
    const caller = new AbortController();
    const call = fetch(`${app.url}${path}`, { method: 'POST', signal: caller.signal, ...options });
    while (begun.length <= at) await turn();
    caller.abort();
    await assert.rejects(call);
    // By then the service has seen it too.
    for (let i = 0; i < 5; i++) await app.get('/v1/account', { key });
    begun[at]!.resolve();
    assert.equal(await ended[at], 'request_aborted');
  }
  const log = await app.get('/v1/audit-log', { key, query: { action: 'verifactu.integrity_checked' } });
  assert.deepEqual(log.body.data, []);
  // Also with the key of the call that was given up.
  const again = app.post('/v1/verifactu/integrity-checks', {
    key,
    body: {},
    headers: { 'idempotency-key': 'check' },
  });
  while (begun.length <= calls.length) await turn();
  begun.at(-1)!.resolve();
  assert.equal((await again).status, 201);
});

test('given a company that has written to all recipients of its day, then it is refused or waits until tomorrow, and others send', async (t) => {
  const { app, mail } = await givenPost(t);
  app.clock.set('2026-11-22T10:00:00Z');
  const [hostile, quiet] = [await app.given.company({ plan: 'free' }), await app.given.company()];
  const addresses = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${name}${i}@example.com`);
  const run = (company: TestCompany) => app.service.worker.runDue(company.company_id);
  const ask = async ({ live_key: key }: TestCompany, to: string[], cc: string[] = []) =>
    app.post(`/v1/invoices/${await issue(app, key)}/send`, { key, body: { to, cc } });

  const all = await ask(hostile, addresses('to', 50), addresses('cc', 50));
  assert.equal(all.status, 200, all.text);
  const waiting = await ask(hostile, ['more@example.com']);
  await run(hostile);
  const refused = await ask(hostile, ['one@example.com']);
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'email_limit_exceeded']);
  assert.equal(Number(refused.headers['retry-after']), 13 * 3600);
  const path = `/v1/emails/${waiting.body.data.email.id}`;
  const { data } = (await app.get(path, { key: hostile.live_key })).body;
  assert.deepEqual(
    [data.status, data.attempts, data.next_attempt_at],
    ['queued', 0, '2026-11-22T23:00:00.000Z'],
  );

  assert.equal((await ask(quiet, ['client@example.com'])).status, 200);
  await run(quiet);
  assert.equal(mail.received.length, 2);
  app.clock.set('2026-11-22T23:00:01Z');
  await run(hostile);
  assert.equal(mail.received.length, 3);
  assert.equal((await ask(hostile, ['one@example.com'])).status, 200);
});

test('given messages whose documents are withdrawn before they are tried, then their recipients do not count, and they wait for no day', async (t) => {
  const { app, mail } = await givenPost(t);
  app.clock.set('2026-11-22T10:00:00Z');
  const company = await app.given.company({ plan: 'free' });
  const key = company.live_key;
  const run = () => app.service.worker.runDue(company.company_id);
  const send = async (count: number) => {
    const invoice = await issue(app, key);
    const to = Array.from({ length: Math.min(count, 50) }, (_, i) => `to${i}@example.com`);
    const cc = Array.from({ length: count - to.length }, (_, i) => `cc${i}@example.com`);
    const answer = await app.post(`/v1/invoices/${invoice}/send`, { key, body: { to, cc } });
    assert.equal(answer.status, 200, answer.text);
    return { invoice, email: answer.body.data.email.id };
  };
  const statusOf = async ({ email }: { email: string }) =>
    (await app.get(`/v1/emails/${email}`, { key })).body.data.status;
  const withdrawn = async (count: number) => {
    const sent = await send(count);
    const answer = await app.post(`/v1/invoices/${sent.invoice}/void`, { key });
    assert.equal(answer.status, 200, answer.text);
    return sent;
  };
  const first = await withdrawn(60);
  await run();
  assert.equal(await statusOf(first), 'not_sent');
  const all = await send(99);
  await run();
  assert.equal(await statusOf(all), 'sent');
  assert.equal(mail.received.length, 1);
  // Two do not fit in the day any more.
  const last = await withdrawn(2);
  await run();
  assert.equal(await statusOf(last), 'not_sent');
});

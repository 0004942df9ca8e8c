/** Both addresses on a full invoice (RD 1619/2012, art. 6.1.e). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalog } from '../../catalog.ts';
import { type Answer, type App, startApp } from '../../../../test/harness.ts';
import { issuingJobs } from '../../../../test/support/issuing-jobs.ts';
import { enqueue } from '../../../../test/support/worker-place.ts';

const address = { line1: 'Calle Mayor', number: '1', postal_code: '28013', city: 'Madrid', country: 'ES' };
const line = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };
const both = ['issuer_address_missing', 'recipient_address_missing'];
const none = { warnings: undefined, warning_codes: undefined };

async function settings(app: App, key: string, body: Record<string, unknown>): Promise<void> {
  const res = await app.put('/v1/account/company', { key, body });
  assert.equal(res.status, 200, res.text);
}

async function client(app: App, key: string, body: Record<string, unknown> = {}): Promise<string> {
  const res = await app.post('/v1/clients', {
    key,
    body: { name: 'Norte SL', tax_id: 'B98765431', ...body },
  });
  assert.equal(res.status, 201, res.text);
  return res.body.data.id;
}

const issue = (app: App, key: string, body: Record<string, unknown>) =>
  app.post('/v1/invoices', { key, body: { lines: [line], options: { issue: true }, ...body } });

const codesOf = ({ status, text, body }: Answer): string[] => {
  assert.ok(status < 300, text);
  assert.equal(body.warnings?.length, body.warning_codes?.length, text);
  return body.warning_codes ?? [];
};

test('given a draft without addresses, when it is asked about and issued, then both answers warn of both', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const drafted = await issue(app, key, { client_id: await client(app, key), options: {} });
  assert.equal(drafted.status, 201, drafted.text);
  assert.deepEqual({ ...none, ...drafted.body }.warnings, undefined, 'a draft is not issued');
  const { id } = drafted.body.data;
  const asked = await app.post(`/v1/invoices/${id}/can-issue`, { key });
  assert.deepEqual([asked.body.data.can_issue, codesOf(asked)], [true, both]);
  const issued = await app.post(`/v1/invoices/${id}/issue`, { key });
  assert.deepEqual(codesOf(issued), both);
  assert.match(issued.body.warnings[0], /domicilio de la empresa/);
  assert.match(issued.body.warnings[1], /domicilio del cliente/);
  // People read them, in the dashboard too: no field of the API is named.
  assert.doesNotMatch(issued.body.warnings.join(), /address|_/);
});

test('given a draft without addresses, when it is marked as sent, then the answer warns', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const drafted = await issue(app, key, { client_id: await client(app, key), options: {} });
  const sent = await app.post(`/v1/invoices/${drafted.body.data.id}/mark-sent`, { key });
  assert.deepEqual(codesOf(sent), both);
});

type Case = {
  what: string;
  company?: object;
  client?: Record<string, unknown> | null;
  type?: string;
  codes: string[];
};
const cases: Case[] = [
  { what: 'an F1 with neither', codes: both },
  { what: 'an F1 with both', company: address, client: { address }, codes: [] },
  { what: "an F1 without the client's", company: address, codes: ['recipient_address_missing'] },
  { what: "an F1 without the company's", client: { address }, codes: ['issuer_address_missing'] },
  {
    what: 'an F1 with a country alone',
    company: { country: 'ES' },
    client: { address: { country: 'FR' }, tax_id: 'X1' },
    codes: both,
  },
  {
    what: 'an F1 with streets but no town',
    company: { line1: 'Calle Mayor' },
    client: { address: { line1: ' ', city: 'Lugo' } },
    codes: both,
  },
  {
    what: 'an F1 of a private person',
    client: { tax_id: '12345678Z', is_private_person: true },
    codes: ['issuer_address_missing'],
  },
  { what: 'an F1 of somebody with a DNI', client: { tax_id: '12345678Z' }, codes: both },
  { what: 'an F2 without a client (art. 7.1)', type: 'F2', client: null, codes: [] },
  { what: 'an F2 with its client (art. 7.2)', type: 'F2', codes: ['recipient_address_missing'] },
  {
    what: 'an F2 of a private person',
    type: 'F2',
    client: { tax_id: '12345678Z', is_private_person: true },
    codes: [],
  },
];

test('given each kind of invoice and client, when it is issued, then it warns of what the law asks for', async (t) => {
  const app = await startApp(t);
  for (const one of cases) {
    const { live_key: key } = await app.given.company();
    await settings(app, key, { address: one.company ?? null });
    const client_id = one.client === null ? null : await client(app, key, one.client);
    const body = { type: one.type ?? 'F1', client_id };
    assert.deepEqual(codesOf(await issue(app, key, body)), one.codes, one.what);
    const dry = await issue(app, key, { ...body, options: { dry_run: true } });
    assert.deepEqual([dry.body.data.can_issue, codesOf(dry)], [true, one.codes], `${one.what}, dry`);
    await settings(app, key, { require_addresses: true });
    const refused = await issue(app, key, body);
    const params: Record<string, string> = {
      issuer_address_missing: 'company.address',
      recipient_address_missing: 'client_id',
    };
    if (one.codes.length === 0) {
      assert.deepEqual(codesOf(refused), [], one.what);
      continue;
    }
    assert.deepEqual(
      [refused.status, refused.body.error?.code, refused.body.error?.param],
      [422, 'missing_required_param', params[one.codes[0]!]],
      one.what,
    );
    const reasons = await issue(app, key, { ...body, options: { dry_run: true } });
    assert.deepEqual(
      reasons.body.data.reasons.map(({ code, param }: { code: string; param: string }) => [code, param]),
      one.codes.map((code) => ['missing_required_param', params[code]]),
      one.what,
    );
    assert.deepEqual(codesOf(reasons), [], 'what refuses is no warning');
  }
});

test('given an issued invoice and tickets, when they are corrected and substituted, then that warns, or is refused where addresses are required', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client_id = await client(app, key);
  const original = (await issue(app, key, { client_id })).body.data.id;
  const ticket = (await issue(app, key, { type: 'F2' })).body.data.id;
  const correct = () =>
    app.post(`/v1/invoices/${original}/corrective`, {
      key,
      body: { correction: { type: 'differences' }, lines: [{ ...line, unit_price: -1 }] },
    });
  const substitute = () =>
    app.post('/v1/invoices/substitute-simplified', {
      key,
      body: { simplified_invoice_uuids: [ticket], client_id },
    });
  assert.deepEqual(codesOf(await correct()), both);
  await settings(app, key, { require_addresses: true, address });
  for (const refused of [await correct(), await substitute()])
    assert.deepEqual(
      [refused.status, refused.body.error?.code, refused.body.error?.param],
      [422, 'missing_required_param', 'client_id'],
    );
  await settings(app, key, { require_addresses: false });
  assert.deepEqual(codesOf(await substitute()), ['recipient_address_missing']);
});

test('given many invoices in one call, when some lack an address, then the warnings name them, or they alone are refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  await settings(app, key, { address });
  const [poor, rich] = [await client(app, key), await client(app, key, { tax_id: 'B12345674', address })];
  const invoices = [rich, poor, null].map((client_id) => ({
    type: client_id === null ? 'F2' : 'F1',
    client_id,
    external_id: `n-${client_id}`,
    lines: [line],
    options: { issue: true },
  }));
  const bulk = () => app.post('/v1/invoices/bulk-create', { key, body: { invoices } });
  for (const made of [await bulk(), await bulk()]) {
    assert.equal(made.body.data.successful, 3, made.text);
    assert.deepEqual(made.body.warning_codes, ['recipient_address_missing']);
    assert.match(made.body.warnings[0], /^invoices\.1: /);
  }
  await settings(app, key, { require_addresses: true });
  for (const one of invoices) one.external_id += '-again';
  const some = await bulk();
  assert.deepEqual([some.body.data.successful, some.body.warnings], [2, undefined]);
  const [failure] = some.body.data.failures;
  assert.deepEqual(
    [failure.index, failure.error_code, failure.param],
    [1, 'missing_required_param', 'client_id'],
  );
});

test('given an answer that warned, when the call is repeated, then the replay warns too', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client_id = await client(app, key);
  const headers = { 'idempotency-key': 'one' };
  const body = {
    client_id,
    lines: [line],
    external_id: 'order-1',
    options: { issue: true, wait_for_pdf: true },
  };
  const first = await app.post('/v1/invoices', { key, headers, body });
  assert.deepEqual(codesOf(first), both, 'also when the PDF was waited for');
  const again = await app.post('/v1/invoices', { key, headers, body });
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(codesOf(again), both);
  const by_external_id = await app.post('/v1/invoices', { key, body });
  assert.equal(by_external_id.status, 200);
  assert.deepEqual(codesOf(by_external_id), both);
  // Issued documents keep what they were issued with.
  await settings(app, key, { address });
  assert.deepEqual(codesOf(await app.post('/v1/invoices', { key, body })), both);
});

test('given a draft of an external id, when a repeated call issues it, then that warns', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { client_id: await client(app, key), lines: [line], external_id: 'order-2' };
  assert.deepEqual(codesOf(await app.post('/v1/invoices', { key, body })), []);
  const issued = await app.post('/v1/invoices', { key, body: { ...body, options: { issue: true } } });
  assert.deepEqual([issued.status, codesOf(issued)], [200, both]);
});

test('given an entity, when it is called a private person, then that is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { name: 'Norte SL', tax_id: 'B98765431', is_private_person: true };
  const refused = await app.post('/v1/clients', { key, body });
  assert.deepEqual([refused.status, refused.body.error?.param], [422, 'is_private_person']);
  const id = await client(app, key, { tax_id: '12345678Z', is_private_person: true });
  const read = await app.get(`/v1/clients/${id}`, { key });
  assert.equal(read.body.data.is_private_person, true);
  const cleared = await app.put(`/v1/clients/${id}`, { key, body: { is_private_person: null } });
  assert.equal(cleared.body.data.is_private_person, false);
});

type Issued = { draft: string; full: string; ticket: string; client_id: string; recurrence: string };
type Way = (given: Issued) => [path: string, body?: object];

const sale = (client_id: string, more: object = {}) => ({ client_id, lines: [line], ...more });
const asking =
  (options: object): Way =>
  ({ client_id }) => ['', sale(client_id, { options })];
const correcting =
  (type: string): Way =>
  ({ full }) => [
    `/${full}/corrective`,
    { correction: { type }, lines: [{ ...line, unit_price: type === 'differences' ? -1 : 90 }] },
  ];

async function recurring(app: App, key: string, client_id: string): Promise<string> {
  const calendar = { frequency: 'monthly', starts_on: '2199-01-01' };
  const body = { name: 'Cuota', client_id, auto_issue: true, ...calendar, lines: [line] };
  const made = await app.post('/v1/recurring_invoices', { key, body });
  assert.equal(made.status, 201, made.text);
  return made.body.data.id;
}

/** Every way to a number, by operation. */
const waysToIssue: Readonly<Record<string, readonly Way[]>> = {
  create_invoice: [
    asking({ issue: true }),
    asking({ register_verifactu: true }),
    asking({ wait_for_pdf: true }),
    asking({ send_automatically: true, send_to: 'ana@example.com' }),
    ({ client_id }) => ['', sale(client_id, { payment: { method: 'card' } })],
    ({ client_id }) => ['', sale(client_id, { type: 'F2', options: { issue: true } })],
  ],
  bulk_create_invoices: [
    ({ client_id }) => ['/bulk-create', { invoices: [sale(client_id, { options: { issue: true } })] }],
    ({ client_id }) => ['/bulk-create', { invoices: [sale(client_id, { payment: { method: 'card' } })] }],
  ],
  issue_invoice: [({ draft }) => [`/${draft}/issue`]],
  send_invoice: [({ draft }) => [`/${draft}/send`, { to: ['ana@example.com'] }]],
  emit_recurring_invoice: [({ recurrence }) => [`/v1/recurring_invoices/${recurrence}/emit`]],
  mark_invoice_sent: [({ draft }) => [`/${draft}/mark-sent`]],
  create_corrective_invoice: [correcting('differences'), correcting('substitution')],
  substitute_simplified_invoices: [
    ({ ticket, client_id }) => ['/substitute-simplified', { simplified_invoice_uuids: [ticket], client_id }],
  ],
};

test('given a company that requires addresses, then no way issues without them, and each does with them', async (t) => {
  const app = await startApp(t);
  const issuing = catalog.filter(({ events }) => events.includes('invoice.number_assigned'));
  assert.deepEqual(issuing.map(({ name }) => name).toSorted(), Object.keys(waysToIssue).toSorted());
  const { company_id, live_key: key } = await app.given.company();
  const numbered = async () => {
    const [row] = await app.sql`
      select count(number)::int as documents from invoices where company_id = ${company_id}`;
    return row!.documents as number;
  };
  for (const [name, ways] of Object.entries(waysToIssue))
    for (const [at, way] of ways.entries()) {
      await settings(app, key, { require_addresses: false, address: null });
      const client_id = await client(app, key);
      const made = async (body: object) => (await issue(app, key, { client_id, ...body })).body.data.id;
      const [path, body] = way({
        client_id,
        draft: await made({ options: {} }),
        full: await made({}),
        ticket: await made({ type: 'F2', client_id: null }),
        recurrence: await recurring(app, key, client_id),
      });
      const address_of_call = path.startsWith('/v1/') ? path : `/v1/invoices${path}`;
      const call = () => app.post(address_of_call, { key, ...(body ? { body } : {}) });
      const before = await numbered();
      for (const address_of_company of [null, address]) {
        await settings(app, key, { require_addresses: true, address: address_of_company });
        const { status, body: answer, text } = await call();
        const error = name === 'bulk_create_invoices' ? answer.data?.failures[0] : answer.error;
        assert.ok(name === 'bulk_create_invoices' || status === 422, `${name} ${at}: ${text}`);
        assert.equal(error.code ?? error.error_code, 'missing_required_param', `${name} ${at}: ${text}`);
      }
      assert.equal(await numbered(), before, `${name} ${at}`);
      assert.equal((await app.put(`/v1/clients/${client_id}`, { key, body: { address } })).status, 200);
      const passed = await call();
      assert.deepEqual(codesOf(passed), [], `${name} ${at}`);
      assert.equal(await numbered(), before + 1, `${name} ${at}: ${passed.text}`);
    }
});

test('given a job that issues for a company that requires addresses, then it issues once they are there', async (t) => {
  const app = await startApp(t, { more_jobs: issuingJobs });
  const { company_id, live_key: key } = await app.given.company();
  const client_id = await client(app, key);
  await settings(app, key, { require_addresses: true });
  const draft = (await issue(app, key, { client_id, options: {} })).body.data.id;
  for (const [kind, payload] of [
    ['test.create', sale(client_id, { options: { issue: true } })],
    ['test.issue', { invoice: draft }],
  ] as const)
    await enqueue(app.db, company_id, app.clock.now(), { kind, payload });
  const numbered = async () => {
    const [row] = await app.sql`
      select count(number)::int as documents from invoices where company_id = ${company_id}`;
    return row!.documents as number;
  };
  await app.service.worker.runDue(company_id);
  assert.equal(await numbered(), 0);
  const waiting = await app.sql<{ kind: string; last_error: string }[]>`
    select kind, last_error from jobs where company_id = ${company_id} and kind like 'test.%' order by kind`;
  assert.deepEqual(
    waiting.map(({ kind }) => kind),
    ['test.create', 'test.issue'],
  );
  for (const { last_error } of waiting) assert.match(last_error, /missing_required_param/);
  await settings(app, key, { address });
  await app.put(`/v1/clients/${client_id}`, { key, body: { address } });
  app.clock.advance(24 * 3_600_000);
  await app.service.worker.runDue(company_id);
  assert.equal(await numbered(), 2);
});

test('an operation that may issue says that it may warn', () => {
  const silent = catalog.filter(
    ({ events, output }) =>
      events.includes('invoice.number_assigned') &&
      !('warning_codes' in ((output as { properties?: object }).properties ?? {})),
  );
  assert.deepEqual(
    silent.map(({ name }) => name),
    [],
  );
});

/**
 * A sandbox and a managed company have no share of their own: each works in the share of the company that owns or
 * manages it (ADR 34). Order counts, not time.
 */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { makeCertificateReader } from '../../src/integrations/aeat/certificate-reader.ts';
import { CertificateFileError } from '../../src/integrations/aeat/pkcs12.ts';
import { makeWalkThreads } from '../../src/integrations/aeat/walk-threads.ts';
import { defineOperation } from '../../src/kernel/operation.ts';
import type { Ports } from '../../src/kernel/ports.ts';
import { One, Shape, Uuid } from '../../src/kernel/schema.ts';
import type { WalkPort } from '../../src/modules/verifactu/index.ts';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { makeTestCertificate } from '../support/certificates.ts';
import { beginBody, fillPlaces } from '../support/slow-bodies.ts';
import { givenEndpoint, givenProducts } from '../support/test-receiver.ts';
import { TestPrinter } from '../support/test-printer.ts';

/** A thread stays for the next check: to start one takes half a second. */
const walks = makeWalkThreads(null);

/** Who works: a key, and the profile it works under. */
type Worker = { key: string; headers?: Record<string, string> };

type Family = { parent: TestCompany; child: TestCompany; quiet: TestCompany; members: Map<string, Worker> };

async function givenFamily(app: App): Promise<Family> {
  const [parent, quiet] = [await app.given.company(), await app.given.company()];
  const child = await app.given.company({ parent_id: parent.company_id });
  const members = new Map<string, Worker>([
    ['its sandbox', { key: parent.test_key }],
    ['a managed company', { key: child.live_key }],
    ['the sandbox of a managed company', { key: child.test_key }],
    [
      'a managed company under its profile',
      { key: parent.live_key, headers: { 'X-Active-Profile': child.company_id } },
    ],
  ]);
  // Each is known once it has called.
  for (const worker of [{ key: parent.live_key }, { key: quiet.live_key }, ...members.values()])
    assert.equal((await app.get('/v1/account/company', worker)).status, 200);
  return { parent, child, quiet, members };
}

/** Lets work begin, and end when the gate opens. */
class Gate {
  readonly begun: string[] = [];
  readonly #opened = Promise.withResolvers<void>();
  readonly #beginnings = new EventEmitter();

  async pass(name: string): Promise<void> {
    this.begun.push(name);
    this.#beginnings.emit('one');
    await this.#opened.promise;
  }

  open = (): void => this.#opened.resolve();

  async until(count: number): Promise<void> {
    while (this.begun.length < count) await once(this.#beginnings, 'one');
  }
}

const names = [
  'its sandbox',
  'a managed company',
  'the sandbox of a managed company',
  'a managed company under its profile',
] as const;

/**
 * The parent has its share in use; a member asks, then a stranger. The stranger is served before the member.
 * @param use does the work as somebody, and tells the gate
 */
async function checkShare(
  app: App,
  gate: Gate,
  member: (typeof names)[number],
  shares: number,
  use: (worker: Worker, who: TestCompany) => Promise<number>,
): Promise<void> {
  const { parent, child, quiet, members } = await givenFamily(app);
  const begin = (worker: Worker, who: TestCompany) => use(worker, who).catch(() => 0);
  const all = Array.from({ length: shares }, () => begin({ key: parent.live_key }, parent));
  try {
    await gate.until(shares);
    all.push(begin(members.get(member)!, member === 'its sandbox' ? parent : child));
    // By then it has arrived.
    for (let i = 0; i < 8; i++) await app.get('/v1/account', { key: quiet.live_key });
    assert.equal(gate.begun.length, shares, `${member} has a share of its own`);
    all.push(begin({ key: quiet.live_key }, quiet));
    await gate.until(shares + 1);
  } finally {
    gate.open();
  }
  const statuses = await Promise.all(all);
  assert.ok(
    statuses.every((status) => status >= 200 && status < 500 && status !== 429),
    String(statuses),
  );
}

for (const member of names) {
  test(`given a company with its share of the connections in use, when ${member} calls, then it waits, and a stranger does not`, async (t) => {
    const gate = new Gate();
    const holding = defineOperation({
      name: 'get_gate',
      method: 'GET',
      path: '/v1/gate',
      scope: 'developers:read',
      tag: 'developers',
      summary: 'Espera.',
      transaction: 'read',
      mcp: false,
      output: One(Shape({ id: Uuid })),
      errors: [],
      async handle({ company }) {
        await gate.pass(company.company_id);
        return { data: { id: company.company_id } };
      },
    });
    const app = await startApp(t, {
      env: { FOLIO_POOL_SIZE: '4' },
      more_operations: [holding],
      share_wait_ms: 60_000,
    });
    await checkShare(app, gate, member, 2, async (worker) => (await app.get('/v1/gate', worker)).status);
  });

  test(`given a company with its share of the printers in use, when ${member} prints, then it waits, and a stranger does not`, async (t) => {
    const gate = new Gate();
    class GatedPrinter extends TestPrinter {
      at_once = 2;
      override async print(...printed: Parameters<TestPrinter['print']>) {
        await gate.pass('a document');
        return super.print(...printed);
      }
    }
    const app = await startApp(t, { wrap_ports: new GatedPrinter().wrap });
    await checkShare(app, gate, member, 1, async (worker) => {
      const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
      const body = { type: 'F2', lines, options: { issue: true } };
      const made = await app.post('/v1/invoices', { ...worker, body });
      return (await app.get(`/v1/invoices/${made.body.data.id}/pdf`, worker)).status;
    });
  });

  test(`given a company whose certificate is being read, when ${member} uploads one, then it waits, and a stranger does not`, async (t) => {
    const gate = new Gate();
    const reader = makeCertificateReader(async (_bytes, password) => {
      await gate.pass(password);
      throw new CertificateFileError('unreadable');
    });
    const app = await startApp(t, { wrap_ports: (ports) => ({ ...ports, certificates: reader }) });
    const file = makeTestCertificate({ kind: 'seal', tax_id: 'B12345674' }).toPkcs12('x');
    const body = { pkcs12_base64: file.toString('base64'), password: 'x' };
    const use = async (worker: Worker) =>
      (await app.put('/v1/verifactu/certificate', { ...worker, body })).status;
    await checkShare(app, gate, member, 1, use);
  });

  test(`given a company whose chain is being checked, when ${member} checks its own, then it waits, and a stranger does not`, async (t) => {
    const gate = new Gate();
    const gated: WalkPort = {
      run: (owner_id, check) =>
        walks.run(owner_id, async (walker) => {
          await gate.pass(String(owner_id));
          return check(walker);
        }),
    };
    const app = await startApp(t, { wrap_ports: (ports: Ports) => ({ ...ports, walks: gated }) });
    await checkShare(
      app,
      gate,
      member,
      1,
      async (worker) => (await app.post('/v1/verifactu/integrity-checks', { ...worker, body: {} })).status,
    );
  });

  test(`given a company with its share of bodies on their way, when ${member} sends one, then it is refused, and a stranger is not`, async (t) => {
    const app = await startApp(t, { body_bounds: { bodies_max: 2 } });
    const { parent, quiet, members } = await givenFamily(app);
    const body = { name: 'Uno' };
    const send = () => app.post('/v1/clients', { ...members.get(member)!, body });
    const paths = ['/v1/clients', '/v1/clients'];
    const begin = (one: string) => beginBody(app, parent.live_key, one);
    const { refused, sockets } = await fillPlaces(begin, paths, send);
    try {
      assert.deepEqual([refused.status, refused.body.error?.code], [429, 'company_share_exceeded']);
      assert.equal((await app.post('/v1/clients', { key: quiet.live_key, body })).status, 201);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
}

test('given receivers of a company and of one that it manages at one host, when both have deliveries, then they share the places there', async (t) => {
  const gate = new Gate();
  const send: Ports['receivers']['send'] = async ({ url }) => {
    await gate.pass(new URL(url).pathname);
    return { status: 204, body: '', duration_ms: 1, error: null };
  };
  const app = await startApp(t, {
    wrap_ports: (ports) => ({ ...ports, receivers: { ...ports.receivers, send } }),
  });
  const { parent, child, quiet } = await givenFamily(app);
  const fill = async (company: TestCompany, endpoints: number, path = '/family') => {
    for (let i = 0; i < endpoints; i++) await givenEndpoint(app, company, `https://hooks.example.com${path}`);
    await givenProducts(app, company, 8);
  };
  for (const company of [parent, child]) await fill(company, 3);
  const delivering = [parent, child].map(({ company_id }) => app.service.deliveries.runDue(company_id));
  const underWay = (path: string) => gate.begun.filter((one) => one === path).length;
  await gate.until(32);
  await fill(quiet, 1, '/stranger');
  delivering.push(app.service.deliveries.runDue(quiet.company_id));
  try {
    // Eight at a time for an endpoint: the stranger's are under way.
    for (let count = 33; underWay('/stranger') < 8; count++) await gate.until(count);
    // Four endpoints at least have those 32. Each of the others may have one of the last fifth.
    assert.ok(underWay('/family') <= 34, `${underWay('/family')}`);
  } finally {
    gate.open();
  }
  const sent = (await Promise.all(delivering)).at(0)!;
  assert.ok(sent > 0);
});

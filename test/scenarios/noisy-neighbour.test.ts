/**
 * One company does what it can within its limits. Another reads, issues, prints and uploads until all of it has come about,
 * and is neither refused nor told to wait (docs/reliability.md). `npm run bench -- --only=noisy` has the times.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { Agent, request } from 'undici';
import { makeCertificateReader } from '../../src/integrations/aeat/certificate-reader.ts';
import { readPkcs12 } from '../../src/integrations/aeat/pkcs12.ts';
import { defineList } from '../../src/kernel/list-operation.ts';
import { pageAnswer } from '../../src/kernel/page.ts';
import type { Ports } from '../../src/kernel/ports.ts';
import { Shape, Uuid } from '../../src/kernel/schema.ts';
import { type App, onOwnDatabase, type TestCompany } from '../harness.ts';
import { hostileBodies, hostileCertificate } from '../support/hostile-bodies.ts';
import { again, type Attack, type Hostile, hostileCalls } from '../support/hostile-calls.ts';
import { mailSettings, startMailServer } from '../support/mail-server.ts';
import { writePng } from '../support/png.ts';
import { loopbackReceivers, TestReceiver } from '../support/test-receiver.ts';

const startApp = onOwnDatabase();

const slowAtOnce = 70;
/** Of an attack that comes to nothing. */
const roundsMax = 2000;

/** The other company is done. What an attack still waits for is answered all the same, and costs less: nobody waits behind it. */
let is_over = false;

/** Stands for a list that reads a million rows. */
const dearList = defineList({
  name: 'list_dear',
  path: '/v1/dear',
  scope: 'developers:read',
  tag: 'developers',
  summary: 'Lista lo que cuesta.',
  mcp: false,
  filters: {},
  item: Shape({ id: Uuid }),
  async list({ tx }, { page }) {
    await tx`select pg_sleep(${is_over ? 0 : 0.5})`;
    return pageAnswer([], page, (row) => row);
  },
});

const attacks: readonly Attack[] = [
  { what: 'slow bodies', work: slowBodies, wanted: [[/^a body has begun$/, slowAtOnce]] },
  {
    what: 'malformed megabytes',
    work: (hostile, _app, _company, signal) =>
      again(signal, 4, async (at) => {
        const [shape, body] = hostileBodies[at % hostileBodies.length]!;
        const { status } = await hostile.send('POST', '/v1/invoices', body);
        if (status === 400 || status === 422) hostile.note(`refused: ${shape}`);
      }),
    wanted: hostileBodies.map(([shape]) => [new RegExp(`^refused: ${shape}$`), 1] as const),
  },
  {
    what: 'texts for patterns that backtrack',
    work: (hostile, _app, _company, signal) =>
      again(signal, 4, () => hostile.send('PUT', '/v1/verifactu/certificate', hostileCertificate)),
    wanted: [[/^PUT .+certificate 422$/, 4]],
  },
  {
    what: 'dear lists',
    work: (hostile, _app, _company, signal) => again(signal, 40, () => hostile.send('GET', '/v1/dear')),
    wanted: [[/^GET .+dear 200$/, 2]],
  },
  {
    what: 'many calls at once',
    work: (hostile, _app, _company, signal) =>
      again(signal, 120, () => hostile.send('GET', '/v1/invoices?limit=100')),
    wanted: [[/^GET .+invoices\?limit=100 200$/, 120]],
  },
  ...hostileCalls,
];

async function slowBodies(
  hostile: Hostile,
  app: App,
  { live_key: key }: TestCompany,
  signal: AbortSignal,
): Promise<void> {
  const { hostname, port } = new URL(app.url);
  const sockets: Socket[] = [];
  for (let at = 0; at < slowAtOnce; at++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    sockets.push(socket);
    const path = at % 2 === 0 ? '/v1/clients/find-by-external-id' : '/v1/invoices';
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{`,
      () => hostile.note('a body has begun'),
    );
  }
  if (!signal.aborted) await once(signal, 'abort');
  for (const socket of sockets) socket.destroy();
}

function logoOf(round: number): string {
  const pixels = new Uint8Array(60 * 60 * 4).fill(round * 40);
  return `data:image/png;base64,${writePng(60, 60, pixels).toString('base64')}`;
}

async function useQuietly(app: App, { live_key: key }: TestCompany, round: number): Promise<string[]> {
  const line = { description: 'Café', unit_price: 1.5, tax_rate: 10 };
  const body = { type: 'F2', lines: [line], options: { issue: true } };
  const issued = await app.post('/v1/invoices', { key, body });
  const { id } = issued.body.data ?? {};
  const answers = [
    issued,
    await app.get(`/v1/invoices/${id}`, { key }),
    await app.get('/v1/invoices', { key }),
    await app.get(`/v1/invoices/${id}/pdf`, { key }),
    await app.put('/v1/account/company', { key, body: { logo: logoOf(round) } }),
    await app.get('/readyz'),
  ];
  return answers.map(({ status }, at) => `${at}: ${status}`);
}

const fine = ['0: 201', '1: 200', '2: 200', '3: 200', '4: 200', '5: 200'];

/** Calls as the company, and notes what is answered. */
function makeCalls(
  app: App,
  { live_key }: TestCompany,
  noted: string[],
  agent: Agent,
): Omit<Hostile, 'receiver'> {
  return {
    note: (what) => void noted.push(what),
    async send(method, path, body, key = live_key) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const options = {
        method,
        dispatcher: agent,
        headers,
        ...(body === undefined ? {} : { body }),
      } as const;
      const answer = await request(new URL(path, app.url), options as Parameters<typeof request>[1]);
      const is_json = String(answer.headers['content-type']).includes('json');
      const read = is_json ? await answer.body.json() : await answer.body.dump();
      const { statusCode: status } = answer;
      assert.ok(status !== 500 && status !== 503, `the hostile one got ${status}`);
      noted.push(`${method} ${path} ${status}`);
      return { status, body: read };
    },
  };
}

/** Afterwards a document has the bytes of the one before, and a certificate is what another file held. */
function answerFastAfterwards(ports: Ports): Ports {
  const { printer } = ports;
  return {
    ...ports,
    printer: { ...printer, print: untilOver(printer.print) },
    certificates: makeCertificateReader(untilOver(readPkcs12)),
  };
}

function untilOver<Args extends unknown[], Made>(
  make: (...args: Args) => Promise<Made>,
): (...args: Args) => Promise<Made> {
  let last: Made | undefined;
  return async (...args) => {
    if (!is_over || last === undefined) last = await make(...args);
    return last;
  };
}

test('one company does its worst', async (t) => {
  const mail = Object.assign(await startMailServer(t), { reads: false });
  const { env, wrap_ports } = loopbackReceivers({ FOLIO_POOL_SIZE: '4', ...mailSettings(mail) });
  const app = await startApp(t, {
    fresh: true,
    more_operations: [dearList],
    env,
    wrap_ports: (ports) => answerFastAfterwards(wrap_ports(ports)),
  });
  for (const attack of attacks)
    await t.test(`given ${attack.what} of one company, when another works, then it is served`, (t) =>
      attackOne(t, app, attack),
    );
});

async function attackOne(t: TestContext, app: App, { work, wanted }: Attack): Promise<void> {
  is_over = false;
  const [hostile, quiet] = [await app.given.company(), await app.given.company()];
  assert.deepEqual(await useQuietly(app, quiet, 0), fine);
  const agent = new Agent({ connections: 150 });
  const noted: string[] = [];
  const receiver = await TestReceiver.listen(t);
  const calls = { ...makeCalls(app, hostile, noted, agent), receiver };
  await calls.send('GET', '/v1/clients');
  const ended = new AbortController();
  const missing = () =>
    wanted.filter(([pattern, times]) => noted.filter((one) => pattern.test(one)).length < times);
  let has_failed = false;
  const attacking = work(calls, app, hostile, ended.signal).catch((error: unknown) => {
    has_failed = true;
    throw error;
  });
  attacking.catch(() => undefined);
  try {
    for (let round = 1; round <= 3 || (missing().length > 0 && !has_failed); round++) {
      assert.deepEqual(await useQuietly(app, quiet, round), fine);
      assert.ok(round < roundsMax, `Of the attack ${missing().join(' and ')} has not come about.`);
    }
  } finally {
    is_over = true;
    ended.abort();
    await attacking;
    await agent.close();
  }
}

/**
 * One company does what it can within its limits. Another reads, issues, prints and uploads meanwhile, and is neither
 * refused nor told to wait (docs/reliability.md). `npm run bench -- --only=noisy` has the times.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { Agent, request } from 'undici';
import { defineList } from '../../src/kernel/list-operation.ts';
import { pageAnswer } from '../../src/kernel/page.ts';
import { Shape, Uuid } from '../../src/kernel/schema.ts';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { hostileBodies, hostileCertificate } from '../support/hostile-bodies.ts';
import { again, type Attack, type Hostile, hostileCalls } from '../support/hostile-calls.ts';
import { writePng } from '../support/png.ts';

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
    await tx`select pg_sleep(0.5)`;
    return pageAnswer([], page, (row) => row);
  },
});

const attacks: readonly (readonly [what: string, attack: Attack])[] = [
  ['slow bodies', slowBodies],
  [
    'malformed megabytes',
    (hostile, _app, _company, signal) =>
      again(signal, 4, (at) =>
        hostile.send('POST', '/v1/invoices', hostileBodies[at % hostileBodies.length]![1]),
      ),
  ],
  [
    'texts for patterns that backtrack',
    (hostile, _app, _company, signal) =>
      again(signal, 4, () => hostile.send('PUT', '/v1/verifactu/certificate', hostileCertificate)),
  ],
  [
    'dear lists',
    (hostile, _app, _company, signal) => again(signal, 40, () => hostile.send('GET', '/v1/dear')),
  ],
  [
    'many calls at once',
    (hostile, _app, _company, signal) =>
      again(signal, 120, () => hostile.send('GET', '/v1/invoices?limit=100')),
  ],
  ...hostileCalls,
];

async function slowBodies(
  _hostile: Hostile,
  app: App,
  { live_key: key }: TestCompany,
  signal: AbortSignal,
): Promise<void> {
  const { hostname, port } = new URL(app.url);
  const sockets: Socket[] = [];
  for (let at = 0; at < 70; at++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    sockets.push(socket);
    const path = at % 2 === 0 ? '/v1/clients/find-by-external-id' : '/v1/invoices';
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{`,
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

for (const [what, attack] of attacks)
  test(`given ${what} of one company, when another works, then it is served`, async (t) => {
    const app = await startApp(t, {
      fresh: true,
      more_operations: [dearList],
      env: { FOLIO_POOL_SIZE: '4' },
    });
    const [hostile, quiet] = [await app.given.company(), await app.given.company()];
    assert.deepEqual(await useQuietly(app, quiet, 0), fine);
    const agent = new Agent({ connections: 150 });
    const send: Hostile['send'] = async (method, path, body) => {
      const headers = { authorization: `Bearer ${hostile.live_key}`, 'content-type': 'application/json' };
      const options = {
        method,
        dispatcher: agent,
        headers,
        ...(body === undefined ? {} : { body }),
      } as const;
      const answer = await request(new URL(path, app.url), options as Parameters<typeof request>[1]);
      await answer.body.dump();
      assert.ok(
        answer.statusCode !== 500 && answer.statusCode !== 503,
        `the hostile one got ${answer.statusCode}`,
      );
      return answer.statusCode;
    };
    await send('GET', '/v1/clients');
    const ended = new AbortController();
    const attacking = attack({ send }, app, hostile, ended.signal);
    try {
      for (let round = 1; round <= 3; round++) assert.deepEqual(await useQuietly(app, quiet, round), fine);
    } finally {
      ended.abort();
      await attacking;
      await agent.close();
    }
  });

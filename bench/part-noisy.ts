/** Part (k): what one company feels while another does its worst within its limits (ADR 34). */
import { connect, type Socket } from 'node:net';
import { Pool } from 'undici';
import { hostileBodies, hostileCertificate } from '../test/support/hostile-bodies.ts';
import { longDocument } from '../test/support/hostile-calls.ts';
import { writePng } from '../test/support/png.ts';
import { startFolio } from './children.ts';
import { invoiceBody } from './fixtures.ts';
import { makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, quantile } from './statistics.ts';

const part = '(k) noisy neighbour';
/** What the quiet company does. */
const calls = ['issue', 'read', 'print', 'upload'] as const;
type Times = Record<(typeof calls)[number], number>;
const atOnce = 64;

type Send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: string) => Promise<string>;
type Attack = { what: string; width: number; step(send: Send, at: number): Promise<unknown> };

const attacks: readonly Attack[] = [
  {
    what: 'malformed megabytes',
    width: 4,
    step: (send, at) => send('POST', '/v1/invoices', hostileBodies[at % hostileBodies.length]![1]),
  },
  {
    what: 'texts for patterns that backtrack',
    width: 4,
    step: (send) => send('PUT', '/v1/verifactu/certificate', hostileCertificate),
  },
  { what: 'lists of all', width: 40, step: (send) => send('GET', '/v1/invoices?limit=100&q=norte') },
  { what: 'many calls at once', width: atOnce, step: (send) => send('GET', '/v1/invoices?limit=100') },
  {
    what: 'long documents to print',
    width: 24,
    async step(send, at) {
      const lines = longDocument.lines.slice(0, 100 + (at % 100));
      const made = await send('POST', '/v1/invoices', JSON.stringify({ type: 'F2', lines }));
      const { data } = JSON.parse(made) as { data?: { id: string } };
      if (data) await send('GET', `/v1/invoices/${data.id}/pdf`);
    },
  },
  {
    what: 'checks of its chain',
    width: 24,
    step: (send) => send('POST', '/v1/verifactu/integrity-checks', '{}'),
  },
];

export async function measureNoise(place: Place, options: BenchOptions): Promise<Figure[]> {
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, 4);
  try {
    const [quiet, hostile] = [await place.makeCompany(), await place.makeCompany()];
    const headers = { authorization: `Bearer ${quiet.key}`, 'content-type': 'application/json' };
    const body = invoiceBody(quiet.client_id);
    const requests = Math.ceil(300 * options.scale);
    const few = Math.ceil(40 * options.scale);
    const p99 = async (): Promise<Times> => {
      const issued = await load.run({
        concurrency: 2,
        requests,
        status: 201,
        make: () => ({ method: 'POST', path: '/v1/invoices', headers, body }),
      });
      const ids = issued.answers.map((text) => (JSON.parse(text) as { data: { id: string } }).data.id);
      const read = await load.run({
        concurrency: 2,
        requests,
        status: 200,
        make: (i) => ({ method: 'GET', path: `/v1/invoices/${ids[i % ids.length]}`, headers }),
      });
      const printed = await load.run({
        concurrency: 1,
        requests: Math.min(few, ids.length),
        status: 200,
        make: (i) => ({ method: 'GET', path: `/v1/invoices/${ids[i]}/pdf`, headers }),
      });
      const uploaded = await load.run({
        concurrency: 1,
        requests: few,
        status: 200,
        make: (i) => ({ method: 'PUT', path: '/v1/account/company', headers, body: logoBody(i % 4) }),
      });
      const all = { issue: issued, read, print: printed, upload: uploaded };
      return Object.fromEntries(calls.map((call) => [call, quantile(all[call].ms, 0.99)])) as Times;
    };
    await p99();
    const alone = await p99();
    const figures: Figure[] = [];
    const tell = (what: string, of: typeof alone) => {
      for (const call of calls) {
        const [ms, ratio] = [of[call], of[call] / alone[call]];
        figures.push(
          { part, what: `${what}: p99 of ${call}`, unit: 'ms', spread: { median: ms, min: ms, max: ms } },
          {
            part,
            what: `${what}: p99 of ${call} / alone`,
            unit: 'ratio',
            spread: { median: ratio, min: ratio, max: ratio },
            aim: { at_most: 3 },
          },
        );
      }
    };
    tell('alone', alone);
    const sockets = beginBodies(folio.url, hostile.key);
    tell('slow bodies', await p99());
    for (const socket of sockets) socket.destroy();
    for (const attack of attacks) tell(attack.what, await under(folio.url, hostile.key, attack, p99));
    return figures;
  } finally {
    await load.close();
    await folio.stop();
  }
}

function logoBody(round: number): string {
  const pixels = new Uint8Array(60 * 60 * 4).fill(round * 40);
  return JSON.stringify({ logo: `data:image/png;base64,${writePng(60, 60, pixels).toString('base64')}` });
}

function beginBodies(url: string, key: string): Socket[] {
  const { hostname, port } = new URL(url);
  return Array.from({ length: 70 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `POST /v1/clients/find-by-external-id HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{`,
    );
    return socket;
  });
}

async function under<T>(url: string, key: string, attack: Attack, measure: () => Promise<T>): Promise<T> {
  const pool = new Pool(url, { connections: attack.width });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send: Send = async (method, path, body) => {
    const answer = await pool.request({ method, path, headers, body: body ?? null });
    const text = await answer.body.text();
    if (answer.statusCode === 500 || answer.statusCode === 503)
      throw new WrongResult(`The hostile company got ${answer.statusCode}.`);
    return text;
  };
  let is_over = false;
  let at = 0;
  const loop = async () => {
    while (!is_over) await attack.step(send, at++);
  };
  const attacking = Promise.all(Array.from({ length: attack.width }, loop));
  try {
    return await measure();
  } finally {
    is_over = true;
    await attacking;
    await pool.close();
  }
}

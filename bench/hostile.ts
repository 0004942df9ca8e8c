/**
 * What the hostile company of part (k) does, in a process of its own: writing megabytes and reading pages in the
 * process that measures would delay the measured calls.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { hostileBodies, hostileCertificate } from '../test/support/hostile-bodies.ts';
import { longDocument } from '../test/support/hostile-calls.ts';
import { answerParent } from './talk.ts';

type Send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: string) => Promise<string>;
type Attack = { width: number; step(send: Send, at: number): Promise<unknown> };

const atOnce = 64;
const slowAtOnce = 70;

const attacks: Readonly<Record<string, Attack>> = {
  'malformed megabytes': {
    width: 4,
    step: (send, at) => send('POST', '/v1/invoices', hostileBodies[at % hostileBodies.length]![1]),
  },
  'texts for patterns that backtrack': {
    width: 4,
    step: (send) => send('PUT', '/v1/verifactu/certificate', hostileCertificate),
  },
  'lists of all': { width: 40, step: (send) => send('GET', '/v1/invoices?limit=100&q=norte') },
  'many calls at once': { width: atOnce, step: (send) => send('GET', '/v1/invoices?limit=100') },
  'long documents to print': {
    width: 24,
    async step(send, at) {
      const lines = longDocument.lines.slice(0, 100 + (at % 100));
      const made = await send('POST', '/v1/invoices', JSON.stringify({ type: 'F2', lines }));
      const { data } = JSON.parse(made) as { data?: { id: string } };
      if (data) await send('GET', `/v1/invoices/${data.id}/pdf`);
    },
  },
  'checks of its chain': {
    width: 24,
    step: (send) => send('POST', '/v1/verifactu/integrity-checks', '{}'),
  },
};

export const hostileKinds = ['slow bodies', ...Object.keys(attacks)];

/** What the bench asks. `end` answers how many calls were made, or tells the first wrong answer. */
export type HostileQuestion = { begin: string; url: string; key: string } | { end: true };

type Running = { end(): Promise<number> };

function beginBodies(url: string, key: string): Running {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: slowAtOnce }, (): Socket => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `POST /v1/clients/find-by-external-id HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{`,
    );
    return socket;
  });
  return {
    async end() {
      for (const socket of sockets) socket.destroy();
      return sockets.length;
    },
  };
}

function beginCalls(url: string, key: string, { width, step }: Attack): Running {
  const pool = new Pool(url, { connections: width });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const over = new AbortController();
  const send: Send = async (method, path, body) => {
    const answer = await pool.request({ method, path, headers, body: body ?? null });
    const text = await answer.body.text();
    const { statusCode: status } = answer;
    if (status === 500 || status === 503) throw new Error(`The hostile company got ${status}.`);
    // It keeps to its limits.
    const seconds = status === 429 ? Number(answer.headers['retry-after'] ?? 1) : 0;
    if (seconds > 0) await wait(seconds * 1000, undefined, { signal: over.signal }).catch(() => undefined);
    return text;
  };
  let made = 0;
  const loop = async () => {
    while (!over.signal.aborted) await step(send, made++);
  };
  const calls = Promise.all(Array.from({ length: width }, loop));
  calls.catch(() => undefined);
  return {
    async end() {
      over.abort();
      await calls.finally(() => pool.close());
      return made;
    },
  };
}

function begin(kind: string, url: string, key: string): Running {
  const attack = attacks[kind];
  return attack ? beginCalls(url, key, attack) : beginBodies(url, key);
}

if (process.send) {
  let running: Running | undefined;
  answerParent({}, async (question: HostileQuestion) => {
    if ('begin' in question) running = begin(question.begin, question.url, question.key);
    else return running?.end();
  });
}

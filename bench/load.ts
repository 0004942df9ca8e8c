/**
 * A fixed number of requests at a fixed concurrency over open connections. It drives service and floors
 * alike, because it takes its own share of the processor.
 */
import { Pool } from 'undici';

/** A wrong result or a failed request fails the whole bench. */
export class WrongResult extends Error {}

/** A slow server gets fewer requests, to stay within this. */
const secondsMax = 8;

export type LoadRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

export type Load = {
  concurrency: number;
  requests: number;
  make(i: number): LoadRequest;
  /** Any other status is a WrongResult. */
  status: number;
  /** What to keep of answers that are not text. */
  keep?(bytes: Buffer): string;
};

export type LoadResult = {
  per_second: number;
  answers: string[];
  /** Milliseconds of each request, as its caller saw it. */
  ms: number[];
};

export type BurstAnswer = { status: number; text: string; is_replayed: boolean; ms: number };

export type LoadGenerator = {
  run(load: Load): Promise<LoadResult>;
  /** All at once, each over its own connection. Accepts any answer. */
  burst(requests: readonly LoadRequest[]): Promise<BurstAnswer[]>;
  close(): Promise<void>;
};

/** Answers are read after the time is taken. */
export function makeLoadGenerator(origin: string, connections: number): LoadGenerator {
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 });

  const asText = (bytes: Buffer) => bytes.toString('utf8');

  async function send({ body, ...rest }: LoadRequest, keep = asText): Promise<BurstAnswer> {
    const started = performance.now();
    const response = await pool.request({ ...rest, body: body ?? null });
    const text = keep(Buffer.from(await response.body.arrayBuffer()));
    const is_replayed = response.headers['idempotent-replayed'] === 'true';
    return { status: response.statusCode, text, is_replayed, ms: performance.now() - started };
  }

  return {
    async run({ concurrency, requests, make, status, keep }) {
      const answers: string[] = [];
      const ms: number[] = [];
      const until = performance.now() + secondsMax * 1000;
      let next = 0;
      const caller = async (): Promise<void> => {
        while (next < requests && performance.now() < until) {
          const i = next++;
          const answer = await send(make(i), keep);
          if (answer.status !== status)
            throw new WrongResult(`${origin} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
          answers[i] = answer.text;
          ms[i] = answer.ms;
        }
      };
      const started = performance.now();
      await Promise.all(Array.from({ length: concurrency }, caller));
      return { per_second: answers.length / ((performance.now() - started) / 1000), answers, ms };
    },
    async burst(requests) {
      if (requests.length > connections) throw new Error('A burst has a connection for each request.');
      return Promise.all(requests.map((one) => send(one)));
    },
    close: () => pool.close(),
  };
}

/** What one call asks of the database, by a process whose statements are read on the wire. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { App } from '../harness.ts';
import { openWire } from './database-wire.ts';
import { startChild } from './service-child.ts';

/** Written beside the call; the end of a read may even come after its answer, with the next call. */
const isAside = (text: string) => /api_keys|rate_windows|^commit$/i.test(text.trim());

export type WatchedService = {
  url: string;
  /**
   * @returns the statements that were sent meanwhile, which `work` may look at as they come; the first ones of a process and of a key
   *   have more
   */
  during(work: (texts: readonly string[]) => Promise<void>): Promise<string[]>;
};

export async function watchService(t: TestContext, app: App): Promise<WatchedService> {
  const wire = await openWire(t, app);
  const child = await startChild(t, app, { target: wire.target, writes_request_log: false });
  return {
    url: child.url,
    async during(work) {
      const texts: string[] = [];
      wire.watch = (text) => {
        if (!isAside(text)) texts.push(text);
        return undefined;
      };
      await work(texts);
      wire.watch = () => undefined;
      return texts;
    },
  };
}

/** @returns a POST that succeeds, and answers its statements */
export async function watchStatements(
  t: TestContext,
  app: App,
  key: string,
): Promise<(path: string, body: object) => Promise<string[]>> {
  const { url, during } = await watchService(t, app);
  return (path, body) =>
    during(async () => {
      const answer = await fetch(new URL(path, url), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      assert.ok(answer.status === 200 || answer.status === 201, text);
    });
}

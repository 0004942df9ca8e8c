/** What one call asks of the database, by a process whose statements are read on the wire. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { App } from '../harness.ts';
import { openWire } from './database-wire.ts';
import { startChild } from './service-child.ts';

/** Written beside the call; the end of a read may even come after its answer, with the next call. */
const isAside = (text: string) => /api_keys|rate_windows|^commit$/i.test(text.trim());

/** @returns a POST that succeeds, and answers its statements. The first ones of a process and of a key have more. */
export async function watchStatements(
  t: TestContext,
  app: App,
  key: string,
): Promise<(path: string, body: object) => Promise<string[]>> {
  const wire = await openWire(t, app);
  const child = await startChild(t, app, { target: wire.target, writes_request_log: false });
  return async (path, body) => {
    const texts: string[] = [];
    wire.watch = (text) => {
      if (!isAside(text)) texts.push(text);
      return undefined;
    };
    const answer = await fetch(new URL(path, child.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    assert.ok(answer.status === 200 || answer.status === 201, text);
    wire.watch = () => undefined;
    return texts;
  };
}

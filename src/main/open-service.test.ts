import assert from 'node:assert/strict';
import nodeModule from 'node:module';
import { Server } from 'node:net';
import { test } from 'node:test';
import { startApp } from '../../test/harness.ts';
import type { DatabaseHandle } from './database.ts';
import { openService } from './open-service.ts';

test('given sources that no cache holds yet, when a service opens, then they are written to it before it listens', async (t) => {
  const app = await startApp(t);
  const steps: string[] = [];
  t.mock.method(nodeModule, 'flushCompileCache', () => steps.push('written'));
  const { listen } = Server.prototype;
  t.mock.method(Server.prototype, 'listen', function (this: Server, ...args: Parameters<typeof listen>) {
    steps.push('listens');
    return listen.apply(this, args);
  });
  const handle = { open: () => app.db, listener: () => null } as unknown as DatabaseHandle;
  const crew = {
    has_database: true,
    processes: 1,
    listens: true,
    url: () => '',
    isIncomplete: () => false,
    metricsPage: () => Promise.reject(new Error('Nobody asks.')),
  };

  const { service } = await openService(handle, { ...app.config, PORT: 0 }, 'api', crew);

  t.after(() => service.stop());
  assert.deepEqual(steps, ['written', 'listens']);
});

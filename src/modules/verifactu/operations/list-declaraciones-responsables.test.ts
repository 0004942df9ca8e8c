import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { declaredVersions } from '../identity/declarations.ts';

const path = '/v1/verifactu/declaracion-responsable';

test('given the versions of the system, when the declarations are listed, then each has its own, the one that runs first', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { body } = await app.get(`${path}/history`, { key });
  const versions = body.data.map((one: { version: string }) => one.version);
  assert.deepEqual(versions, declaredVersions.map((one) => one.version).toReversed());
  assert.equal(new Set(versions).size, versions.length);
  assert.deepEqual(body.data[0], (await app.get(path, { key })).body.data);
  assert.deepEqual([body.has_more, body.next_cursor], [false, null]);
});

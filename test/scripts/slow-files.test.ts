import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import slowFiles from '../../scripts/test-run/slow-files.json' with { type: 'json' };

test('each test that is known to be slow is there', () => {
  const files = Object.keys(slowFiles);
  assert.ok(files.length > 0);
  const root = new URL('../../', import.meta.url);
  assert.deepEqual(
    files.filter((file) => !existsSync(new URL(file, root))),
    [],
  );
});

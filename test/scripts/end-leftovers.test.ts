import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

const preload = new URL('../../scripts/test-run/end-leftovers.ts', import.meta.url).href;

const cases: [what: string, body: string, patience_ms: number, is_ended: boolean][] = [
  ['nothing', '', 60_000, false],
  ['a short wait', 'setTimeout(() => undefined, 50)', 60_000, false],
  ['a wait without end', 'setInterval(() => undefined, 5)', 50, true],
];

for (const [what, body, patience_ms, is_ended] of cases)
  test(`given a test that leaves ${what}, then its process ends, and fails if it had to be ended`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'folio-leftovers-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'one.test.mjs');
    writeFileSync(file, `import { test } from "node:test";\ntest('one', () => { ${body}; });\n`);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const started = spawn(process.execPath, ['--import', preload, file], {
      env: { ...env, FOLIO_TEST_LEFTOVERS_MS: String(patience_ms) },
    });
    t.after(() => started.kill('SIGKILL'));
    const [told, [status]] = await Promise.all([text(started.stderr), once(started, 'exit')]);
    assert.equal(status, is_ended ? 1 : 0, told);
    assert.equal(/^The tests are over, but/m.test(told), is_ended, told);
  });

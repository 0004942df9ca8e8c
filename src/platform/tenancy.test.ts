import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { crossCompanyFiles } from './tenancy.ts';

const src = fileURLToPath(new URL('../', import.meta.url));

test('only the listed files set the company of a transaction that is open already', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (f) => f.endsWith('.ts') && !f.endsWith('.test.ts'),
  );
  const found = files.filter(
    (f) => f !== join('platform', 'db.ts') && readFileSync(join(src, f), 'utf8').includes('setCompanyText('),
  );
  assert.deepEqual(found.map((f) => f.replaceAll('\\', '/')).sort(), Object.keys(crossCompanyFiles).sort());
});

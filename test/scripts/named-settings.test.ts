/** `export` of a name that is no setting makes each later command and start in that terminal refuse it. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/source-files.ts';
import { commandVariables, secretNames, settings } from '../../src/main/config.ts';
import { fileOf } from '../../src/main/environment.ts';

/** Read by Vite, and by compose for the name of the image. */
const others = ['FOLIO_DEV_SERVICE', 'FOLIO_VERSION'];

test('given pages for people and what the dashboard has them copy, then each FOLIO_ name is one that a start accepts', () => {
  const known = new Set([
    ...Object.keys({ ...settings, ...commandVariables }),
    ...secretNames.map(fileOf),
    ...others,
  ]);
  const files = globSync(
    ['*.md', 'docs/*.md', 'docs/guides/*.md', 'packages/*/README.md', 'web/src/pages/**/*.{ts,tsx}'],
    {
      cwd: root,
    },
  );
  assert.ok(files.length > 50, String(files.length));
  const unknown = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bFOLIO_[A-Z_]*[A-Z]\b/g)]
      .map(([name]) => name)
      .filter((name) => !known.has(name) && !name.startsWith('FOLIO_TEST'))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(unknown, []);
});

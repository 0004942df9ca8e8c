import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readAuthoritySchemas } from './authority-schemas.ts';
import { ConfigError } from './config.ts';

const nowhere = '/nowhere/schemas';

test('given a folder of schemas that cannot be used, then the setting, the folder and the cause are in one sentence', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'folio-schemas-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const assertTold = (of: string, cause: RegExp) =>
    assert.rejects(readAuthoritySchemas(of), (error: Error) => {
      assert.ok(error instanceof ConfigError, String(error));
      assert.ok(error.message.startsWith(`FOLIO_AEAT_SCHEMAS names ${of}, `), error.message);
      assert.match(error.message, cause);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  await assertTold(nowhere, /which cannot be read \(ENOENT\)\.$/);
  await assertTold(folder, /which has no SuministroLR\.xsd\.$/);
  writeFileSync(join(folder, 'SuministroLR.xsd'), '<html>404</html>');
  await assertTold(folder, /whose schemas cannot be used: SuministroLR\.xsd: [^/]+$/);
});

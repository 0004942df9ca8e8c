/** test/golden/exports/ holds what an earlier version exported: files that people keep for years. They are never written anew. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeRecordReader } from '../../../integrations/aeat/record-reader.ts';
import { verifyExport } from './verify-export.ts';

const kept = join(import.meta.dirname, '../../../../test/golden/exports');
const later = new Date('2040-01-01T00:00:00Z');

const cases = [
  ['verifactu', { files: 2, records: 4, events: 0, signatures: 0 }],
  ['no_verifactu', { files: 3, records: 4, events: 1, signatures: 5 }],
] as const;

for (const [mode, checked] of cases) {
  test(`given an export of an earlier version in ${mode} mode, when it is verified years later, then it is intact`, async () => {
    const check = await verifyExport(join(kept, mode), makeRecordReader(null), later);
    assert.deepEqual([check.is_intact, check.faults, check.checked], [true, [], checked]);
  });

  test(`given such an export in ${mode} mode with another amount, when it is verified, then it is not intact`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'folio-export-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await cp(join(kept, mode), folder, { recursive: true });
    const file = join(folder, 'registros/registros-0000000001-0000000004.xml');
    const text = await readFile(file, 'utf8');
    assert.match(text, /ImporteTotal>121\.61</);
    await writeFile(file, text.replace('ImporteTotal>121.61<', 'ImporteTotal>121.60<'));
    const check = await verifyExport(folder, makeRecordReader(null), later);
    const kinds = new Set(check.faults.map(({ kind }) => kind));
    assert.deepEqual([check.is_intact, kinds.has('file_changed')], [false, true]);
  });
}

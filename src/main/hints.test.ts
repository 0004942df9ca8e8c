import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandHint } from './hints.ts';

const cases: readonly [data_dir: string, port: number, program: string, hint: string][] = [
  ['.data', 3000, '/opt/folio/src/main/folio.cjs', 'npm run -s folio --'],
  ['.data', 0, '/opt/folio/src/main/folio.cjs', 'npm run -s folio --'],
  ['.data', 3001, '/opt/folio/src/main/folio.cjs', 'PORT=3001 npm run -s folio --'],
  ['/my data', 3000, '/opt/folio/src/main/folio.cjs', "FOLIO_DATA_DIR='/my data' npm run -s folio --"],
  ['/data', 3000, '/usr/local/bin/folio', 'FOLIO_DATA_DIR=/data folio'],
  ['/data', 3001, '/usr/local/bin/folio', 'FOLIO_DATA_DIR=/data PORT=3001 folio'],
  // Not in PATH.
  ['.data', 3000, '/opt/folio/node_modules/.bin/folio', 'npm run -s folio --'],
];

for (const [FOLIO_DATA_DIR, PORT, program, hint] of cases)
  test(`given ${program} on port ${PORT} with ${FOLIO_DATA_DIR}, then commands begin with ${hint}`, () =>
    assert.equal(commandHint({ FOLIO_DATA_DIR, PORT }, program), hint));

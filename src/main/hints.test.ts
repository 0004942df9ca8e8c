import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { commandHint } from './hints.ts';

const cases: readonly [data_dir: string, port: number, program: string, hint: string, env_file?: string][] = [
  ['.data', 3000, '/opt/folio/src/main/folio.cjs', 'npm run -s folio --'],
  ['.data', 0, '/opt/folio/src/main/folio.cjs', 'npm run -s folio --'],
  ['.data', 3001, '/opt/folio/src/main/folio.cjs', 'PORT=3001 npm run -s folio --'],
  ['/my data', 3000, '/opt/folio/src/main/folio.cjs', "FOLIO_DATA_DIR='/my data' npm run -s folio --"],
  ['/data', 3000, '/usr/local/bin/folio', 'FOLIO_DATA_DIR=/data folio'],
  ['/data', 3001, '/usr/local/bin/folio', 'FOLIO_DATA_DIR=/data PORT=3001 folio'],
  // Not in PATH.
  ['.data', 3000, '/opt/folio/node_modules/.bin/folio', 'npm run -s folio --'],
  [
    '.data',
    3000,
    '/opt/folio/src/main/folio.cjs',
    'FOLIO_ENV_FILE=/etc/folio.env npm run -s folio --',
    '/etc/folio.env',
  ],
  [
    '/data',
    3001,
    '/usr/local/bin/folio',
    "FOLIO_ENV_FILE='/my settings' FOLIO_DATA_DIR=/data PORT=3001 folio",
    '/my settings',
  ],
  // A script of package.json is run in the folder of that file.
  ['.data', 3000, '/usr/local/bin/folio', `FOLIO_ENV_FILE=${resolve('own.env')} folio`, 'own.env'],
  ['.data', 3000, '/usr/local/bin/folio', 'folio', ''],
];

for (const [FOLIO_DATA_DIR, PORT, program, hint, env_file] of cases)
  test(`given ${program} on port ${PORT} with ${FOLIO_DATA_DIR} and settings in ${env_file}, then commands begin with ${hint}`, () =>
    assert.equal(commandHint({ FOLIO_DATA_DIR, PORT }, program, { FOLIO_ENV_FILE: env_file }), hint));

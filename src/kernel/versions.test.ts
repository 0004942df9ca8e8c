import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apiVersions, isAtLeast, latestVersion, readVersion } from './versions.ts';

test('the changelog tells of every version, newest first, and which is the latest', () => {
  const changelog = readFileSync(new URL('../../docs/changelog.md', import.meta.url), 'utf8');
  const headings = [...changelog.matchAll(/^## (\S+)( \(latest\))?$/gm)];
  assert.deepEqual(
    headings.map(([, version]) => version),
    [...apiVersions].reverse(),
  );
  assert.deepEqual(
    headings.filter(([, , mark]) => mark !== undefined).map(([, version]) => version),
    [latestVersion],
  );
});

test('versions are in order and the latest is the last', () => {
  assert.deepEqual([...apiVersions].sort(), [...apiVersions]);
  assert.equal(apiVersions.at(-1), latestVersion);
});

for (const [header, code] of [
  ['2026-06-01', null],
  ['2026-10-01', null],
  ['2026-06-02', 'unsupported_api_version'],
  ['2199-01-01', 'unsupported_api_version'],
  ['2026-02-30', 'parameter_invalid_format'],
  ['2026-6-1', 'parameter_invalid_format'],
  ['2026-06-01 ', 'parameter_invalid_format'],
  ['2026-06-01T00:00:00Z', 'parameter_invalid_format'],
  ['latest', 'parameter_invalid_format'],
  ['', 'parameter_invalid_format'],
] as const) {
  test(`Service-Version "${header}" is ${code ?? 'read'}`, () => {
    if (code === null) assert.equal(readVersion(header), header);
    else assert.throws(() => readVersion(header), { message: code });
  });
}

test('a version is at least itself and every older one', () => {
  assert.deepEqual(
    apiVersions.map((version) => isAtLeast(version, '2026-10-01')),
    [false, true],
  );
});

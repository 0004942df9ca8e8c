import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countryCodes, euMembers } from './countries.ts';

test('there are 249 countries, each a code that has a name', () => {
  const names = new Intl.DisplayNames('es', { type: 'region', fallback: 'none' });
  assert.equal(countryCodes.size, 249);
  for (const code of countryCodes) assert.ok(names.of(code), code);
});

for (const code of ['ES', 'PT', 'GR', 'GB', 'TW', 'PS', 'SS', 'CW', 'SX', 'BQ', 'AX', 'ME', 'RS']) {
  test(`${code} is a country`, () => assert.ok(countryCodes.has(code)));
}

for (const code of [
  'UK',
  'EL',
  'XI',
  'XK',
  'EU',
  'AN',
  'CS',
  'YU',
  'SU',
  'DD',
  'TP',
  'IC',
  'EA',
  'ZZ',
  'es',
  '',
]) {
  test(`"${code}" is not a country`, () => assert.ok(!countryCodes.has(code)));
}

test('the Union has 27 members, all of them countries', () => {
  assert.equal(euMembers.size, 27);
  for (const code of euMembers) assert.ok(countryCodes.has(code), code);
  assert.ok(euMembers.has('HR') && euMembers.has('GR'));
  for (const outside of ['GB', 'CH', 'NO', 'IS', 'LI', 'MC', 'AD', 'TR', 'EL'])
    assert.ok(!euMembers.has(outside));
});

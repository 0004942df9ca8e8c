import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencyCodes } from './currencies.ts';

const withdrawn = ['ANG', 'BGN', 'BYR', 'CUC', 'DEM', 'ESP', 'HRK', 'LTL', 'MRO', 'SLL', 'STD', 'VEF', 'ZWL'];
const notMoney = ['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XPD', 'XPT', 'XTS', 'XXX'];

test('every code is three capitals and none is written twice', () => {
  for (const code of currencyCodes) assert.match(code, /^[A-Z]{3}$/);
  assert.equal(currencyCodes.size, 168);
});

for (const code of ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'MXN', 'CLF', 'KWD', 'SLE', 'VED', 'XCG', 'ZWG']) {
  test(`${code} is accepted`, () => assert.ok(currencyCodes.has(code)));
}

for (const code of [...withdrawn, ...notMoney, 'eur', '']) {
  test(`"${code}" is refused`, () => assert.ok(!currencyCodes.has(code)));
}

test('no currency that the runtime knows is missing, but for the withdrawn ones', () => {
  const missing = Intl.supportedValuesOf('currency').filter((code) => !currencyCodes.has(code));
  assert.deepEqual(
    missing.filter((code) => !withdrawn.includes(code) && !notMoney.includes(code)),
    [],
  );
});

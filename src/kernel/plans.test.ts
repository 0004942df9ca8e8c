import assert from 'node:assert/strict';
import { test } from 'node:test';
import { higherTier, planModules, planNames, plans } from './plans.ts';

const cases = [
  ['free', [], 60, 60, 100],
  ['starter', [], 300, 120, 1000],
  ['growth', ['time_control'], 1200, 600, 5000],
  ['scale', ['time_control', 'accountancy', 'automations', 'stores'], 6000, 3000, 20_000],
] as const;
for (const [plan, modules, reads, writes, recipients] of cases) {
  test(`${plan} has its modules and limits`, () => {
    assert.deepEqual([...planModules(plan)].sort(), [...modules].sort());
    assert.equal(plans[plan].tier, plan);
    assert.equal(plans[plan].reads_per_minute, reads);
    assert.equal(plans[plan].writes_per_minute, writes);
    assert.equal(plans[plan].email_recipients_per_day, recipients);
  });
}

test('there are no other plans', () => {
  assert.deepEqual(Object.keys(plans), [...planNames]);
  assert.equal(planNames.length, cases.length);
});

test('a boost lifts the tier and never lowers it', () => {
  assert.equal(higherTier('free', 'scale'), 'scale');
  assert.equal(higherTier('scale', 'free'), 'scale');
  assert.equal(higherTier('starter', 'growth'), 'growth');
  assert.equal(higherTier('growth', 'growth'), 'growth');
});

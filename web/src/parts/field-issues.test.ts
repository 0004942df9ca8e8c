import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tellFields } from './field-issues.ts';

const shown = new Set(['name', 'allowed_ips', 'lines.0.unit_price', 'address.city']);
const message = 'No es válido.';

const cases: [param: string, field: string | null][] = [
  ['name', 'name'],
  ['allowed_ips.1', 'allowed_ips'],
  ['allowed_ips', 'allowed_ips'],
  ['lines.0.unit_price', 'lines.0.unit_price'],
  ['lines.1.unit_price', null],
  ['address', null],
  ['city', 'address.city'],
  ['names', null],
];

for (const [param, field] of cases) {
  test(`given a fault of ${param}, then ${field ?? 'no field'} tells it`, () => {
    const { by_field, rest } = tellFields([{ param, message }], { city: 'address.city' }, shown);
    assert.equal(by_field[field ?? param], message);
    assert.deepEqual(rest, field === null ? [{ param, message }] : []);
  });
}

test('given two faults of one list, then its field tells the first', () => {
  const issues = ['a', 'b'].map((text, index) => ({ param: `allowed_ips.${index}`, message: text }));
  assert.deepEqual(tellFields(issues, {}, shown), { by_field: { allowed_ips: 'a' }, rest: [] });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../kernel/problem.ts';
import { checkSeriesIssuer, issuerKey } from './series-by-issuer.ts';

const none = { third_party: null, client_id: 'a' };
const issuer = issuerKey({ issued_by: 'issuer', ...none });
const recipient = issuerKey({ issued_by: 'recipient', ...none });
const another = issuerKey({ issued_by: 'recipient', ...none, client_id: 'b' });
const agency = issuerKey({ issued_by: 'third_party', client_id: 'a', third_party: { tax_id: 'B99286320' } });
const air_ticket = [{ tax_kind: 'vat', regime_key: '09' }];
const mediator = issuerKey({ issued_by: 'issuer', ...none }, air_ticket);
const agency_of_tickets = issuerKey({ issued_by: 'recipient', ...none }, air_ticket);

test('what a travel agency issues for carriers is told apart from the rest, whoever issues it', () => {
  const plain = [{ tax_kind: 'vat', regime_key: '01' }];
  assert.equal(issuerKey({ issued_by: 'issuer', ...none }, plain), issuer);
  assert.equal(issuerKey({ issued_by: 'issuer', ...none }, [...plain, ...air_ticket]), mediator);
  assert.equal(issuerKey({ issued_by: 'issuer', ...none }, [{ tax_kind: 'ipsi', regime_key: '09' }]), issuer);
  assert.equal(new Set([issuer, recipient, mediator, agency_of_tickets]).size, 4);
});

test('the issuer, each recipient and each third party are told apart, whatever else the invoice says', () => {
  assert.equal(new Set([issuer, recipient, another, agency]).size, 4);
  assert.equal(issuerKey({ issued_by: 'issuer', ...none, client_id: null }), issuer);
  assert.equal(
    issuerKey({ issued_by: 'third_party', client_id: 'b', third_party: { tax_id: 'B99286320' } }),
    agency,
  );
});

// `bound`: who issues in the series already.
const cases: readonly (readonly [
  by: string,
  is_default: boolean,
  bound: string | null,
  is_refused: boolean,
])[] = [
  [issuer, true, null, false],
  [issuer, false, null, false],
  [recipient, true, null, true],
  [recipient, false, null, false],
  [agency, true, null, true],
  [agency, false, null, false],
  [mediator, true, null, true],
  [mediator, false, null, false],
  ...[issuer, recipient, another, agency, mediator].flatMap((by) =>
    [issuer, recipient, another, agency, mediator].flatMap((bound) =>
      [true, false].map((is_default) => [by, is_default, bound, by !== bound] as const),
    ),
  ),
];
for (const [by, is_default, bound, is_refused] of cases) {
  const series = { code: 'F', is_default };
  test(`${by} in a ${is_default ? 'default ' : ''}series of ${bound ?? 'nobody'} is ${is_refused ? 'refused' : 'accepted'}`, () => {
    const check = () => checkSeriesIssuer({ issued_by: by, series }, bound);
    if (!is_refused) check();
    else
      assert.throws(
        check,
        (error) =>
          error instanceof Problem &&
          error.def.code === 'business_rule_violation' &&
          error.details.param === 'series_id',
      );
  });
}

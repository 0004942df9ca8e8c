import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admit, type Credential, hashSecret, newSecret, secretPrefix } from './credentials.ts';

test('a secret is its prefix and 24 base62 characters, and its first 13 may be shown', () => {
  for (const environment of ['live', 'test'] as const) {
    const secret = newSecret(environment);
    assert.match(secret, new RegExp(`^svc_${environment}_[0-9A-Za-z]{24}$`));
    assert.equal(secretPrefix(secret), secret.slice(0, 13));
    assert.equal(secretPrefix(secret).length, 13);
  }
});

test('no secret comes twice, and every character is used at every place', () => {
  const secrets = Array.from({ length: 3000 }, () => newSecret('live').slice('svc_live_'.length));
  assert.equal(new Set(secrets).size, secrets.length);
  for (let place = 0; place < 24; place++) {
    // In 3000 draws the chance that one of 62 characters is missing is below 10^-19.
    assert.equal(new Set(secrets.map((s) => s[place])).size, 62);
  }
});

test('the hash is of all bytes of the secret', () => {
  const secret = newSecret('live');
  assert.equal(hashSecret(secret).length, 32);
  assert.ok(hashSecret(secret).equals(hashSecret(secret)));
  for (const other of [`${secret} `, secret.toUpperCase(), secret.slice(0, -1), '']) {
    assert.ok(!hashSecret(secret).equals(hashSecret(other)));
  }
});

const now = new Date('2026-11-21T10:00:00Z');
const before = new Date('2026-11-21T09:59:59.999Z');
const after = new Date('2026-11-21T10:00:00.001Z');
const plain: Credential = {
  kind: 'api_key',
  audience: null,
  user_id: null,
  key_id: 'k',
  key_name: 'Prueba',
  key_company_id: 'c',
  company_id: 'c',
  environment: 'live',
  scopes: [],
  plan: 'free',
  boost_tier: null,
  boost_until: null,
  api_version: null,
  allowed_ips: [],
  expires_at: null,
  previous_until: null,
  is_revoked: false,
  clock_offset_ms: '0',
  clock_frozen_at: null,
};

/** What differs from a plain key, the caller's address, the outcome at `now`. */
const cases: readonly (readonly [Partial<Credential>, string, string])[] = [
  [{}, '203.0.113.9', 'admitted'],
  [{ is_revoked: true }, '203.0.113.9', 'refused'],
  [{ expires_at: after }, '203.0.113.9', 'admitted'],
  [{ expires_at: now }, '203.0.113.9', 'refused'],
  [{ expires_at: before }, '203.0.113.9', 'refused'],
  [{ previous_until: after }, '203.0.113.9', 'admitted'],
  [{ previous_until: now }, '203.0.113.9', 'refused'],
  [{ allowed_ips: ['203.0.113.9'] }, '203.0.113.9', 'admitted'],
  [{ allowed_ips: ['203.0.113.9'] }, '203.0.113.10', 'address_refused'],
  [{ allowed_ips: ['198.51.100.1', '203.0.113.0/24'] }, '203.0.113.10', 'admitted'],
  [{ allowed_ips: ['203.0.113.9'] }, '::ffff:203.0.113.9', 'admitted'],
  [{ allowed_ips: ['2001:db8::/32'] }, '2001:db8:1::1', 'admitted'],
  [{ allowed_ips: ['2001:db8::/32'] }, '203.0.113.9', 'address_refused'],
  [{ allowed_ips: ['0.0.0.0/0'] }, '2001:db8::1', 'address_refused'],
  [{ allowed_ips: ['203.0.113.9'] }, 'no address', 'address_refused'],
  // Only a usable key is audited for its address.
  [{ is_revoked: true, allowed_ips: ['203.0.113.9'] }, '203.0.113.10', 'refused'],
  // The company's time counts.
  [{ expires_at: after, clock_offset_ms: '1000' }, '203.0.113.9', 'refused'],
  [{ expires_at: before, clock_frozen_at: new Date('2026-11-20T00:00:00Z') }, '203.0.113.9', 'admitted'],
  [{ previous_until: after, clock_offset_ms: '86400000' }, '203.0.113.9', 'refused'],
  // A token's life is counted on real time.
  [
    { kind: 'oauth', audience: 'v1', expires_at: after, clock_offset_ms: '86400000' },
    '203.0.113.9',
    'admitted',
  ],
  [
    { kind: 'oauth', audience: 'v1', expires_at: now, clock_frozen_at: new Date('2026-11-20T00:00:00Z') },
    '203.0.113.9',
    'refused',
  ],
  [{ kind: 'oauth', audience: 'mcp', expires_at: after }, '203.0.113.9', 'refused'],
];
for (const [difference, ip, expected] of cases) {
  test(`a key with ${JSON.stringify(difference)} from ${ip} is ${expected}`, () => {
    assert.equal(admit({ ...plain, ...difference }, { ip, audience: 'v1' }, now), expected);
  });
}

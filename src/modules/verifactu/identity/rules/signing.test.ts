import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CertificateFacts } from './certificate-status.ts';
import { presenterOf } from './presenter.ts';
import { isInForce, type SigningMeans, type SigningParam, signingProblem, whoSigns } from './signing.ts';

const company = 'B12345674';
const today = '2026-06-15';
const now = new Date('2026-06-15T10:00:00Z');
const from = new Date('2026-01-01T00:00:00Z');
const until = new Date('2027-06-15T00:00:00Z');

const certificate = (change: Partial<CertificateFacts> = {}): CertificateFacts => ({
  tax_id: company,
  valid_from: from,
  valid_until: until,
  is_readable: true,
  ...change,
});

const certificates = {
  missing: null,
  expired: certificate({ valid_until: new Date('2026-06-15T09:59:59Z') }),
  not_yet_valid: certificate({ valid_from: new Date('2026-06-15T10:00:01Z') }),
  other_tax_id: certificate({ tax_id: 'A58818501' }),
  unreadable: certificate({ is_readable: false }),
  expiring: certificate({ valid_until: new Date('2026-06-20T00:00:00Z') }),
  valid: certificate(),
} as const satisfies Record<string, SigningMeans['certificate']>;

const representations = {
  none: null,
  active: { valid_until: today, is_revoked: false },
  expired: { valid_until: '2026-06-14', is_revoked: false },
  revoked: { valid_until: '2030-01-01', is_revoked: true },
  revoked_and_expired: { valid_until: '2026-06-14', is_revoked: true },
} as const satisfies Record<string, SigningMeans['representation']>;

type Who = 'company' | 'service' | SigningParam;

/** What holds while the company's own certificate cannot be used. */
const without: Record<keyof typeof representations, readonly [service: Who, none: Who]> = {
  none: ['certificate', 'certificate'],
  active: ['service', 'system_certificate'],
  expired: ['representation', 'representation'],
  revoked: ['representation', 'representation'],
  revoked_and_expired: ['representation', 'representation'],
};

for (const [state, own] of Object.entries(certificates)) {
  for (const [kind, representation] of Object.entries(representations)) {
    for (const has_service_certificate of [true, false]) {
      const is_own = state === 'valid' || state === 'expiring';
      const expected = is_own
        ? 'company'
        : without[kind as keyof typeof without][has_service_certificate ? 0 : 1];
      const means: SigningMeans = { certificate: own, representation, has_service_certificate };
      test(`certificate ${state}, representation ${kind}, service certificate ${has_service_certificate}: ${expected}`, () => {
        const who = whoSigns(means, company, now, today);
        assert.equal('by' in who ? who.by : who.missing, expected);

        const { presenter, presenter_certificate_status: status } = presenterOf(means, company, now, today);
        assert.equal(presenter, expected === 'company' || expected === 'service' ? expected : null);
        if (expected === 'service') assert.equal(status, 'valid');
        else if (own) assert.equal(status, state);
        else assert.equal(status, expected === 'system_certificate' ? 'service_unavailable' : 'missing');
      });
    }
  }
}

test('a representation holds through its last day, unless it was revoked', () => {
  for (const [kind, representation] of Object.entries(representations)) {
    assert.equal(isInForce(representation, today), kind === 'active', kind);
  }
});

test('the refusal names what is missing', () => {
  for (const param of ['certificate', 'representation', 'system_certificate'] as const) {
    const { def, details } = signingProblem(param);
    assert.deepEqual(
      [def.code, details.param, details.subcode],
      ['verifactu_not_eligible', param, 'signing_certificate_unavailable'],
    );
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CertificateFacts,
  type CertificateStatus,
  certificateStatus,
  isUsable,
} from './certificate-status.ts';

const own = 'B12345674';
const facts: CertificateFacts = {
  tax_id: own,
  valid_from: new Date('2026-01-10T09:00:00Z'),
  valid_until: new Date('2028-01-10T09:00:00Z'),
  is_readable: true,
};

const cases: readonly [Partial<CertificateFacts>, string, CertificateStatus, boolean][] = [
  [{}, '2026-01-10T08:59:59.999Z', 'not_yet_valid', false],
  [{}, '2026-01-10T09:00:00Z', 'valid', true],
  [{}, '2027-12-11T08:59:59.999Z', 'valid', true],
  [{}, '2027-12-11T09:00:00Z', 'expiring', true],
  [{}, '2028-01-10T08:59:59.999Z', 'expiring', true],
  [{}, '2028-01-10T09:00:00Z', 'expired', false],
  [{ tax_id: 'A58818501' }, '2026-06-01T00:00:00Z', 'other_tax_id', false],
  [{ tax_id: 'A58818501' }, '2029-06-01T00:00:00Z', 'other_tax_id', false],
  [{ is_readable: false }, '2026-06-01T00:00:00Z', 'unreadable', false],
  [{ is_readable: false, tax_id: 'A58818501' }, '2029-06-01T00:00:00Z', 'unreadable', false],
];
for (const [change, now, status, is_usable] of cases) {
  test(`a certificate with ${JSON.stringify(change)} is ${status} at ${now}`, () => {
    assert.equal(certificateStatus({ ...facts, ...change }, own, new Date(now)), status);
    assert.equal(isUsable(status), is_usable);
  });
}

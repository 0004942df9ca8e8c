import assert from 'node:assert/strict';
import { test } from 'node:test';
import { companyBlock, recordBlocking } from './blocking.ts';

test('given a company, then what stands in its way is the missing authority, else what its sender found', () => {
  for (const [is_authority_configured, block_reason, said] of [
    [true, null, null],
    [true, 'certificate_unavailable', 'certificate_unavailable'],
    [true, 'aeat_4112', 'aeat_4112'],
    // Written before an authority was configured.
    [true, 'authority_not_configured', null],
    [false, null, 'authority_not_configured'],
    [false, 'certificate_unavailable', 'authority_not_configured'],
  ] as const) {
    assert.equal(companyBlock({ is_authority_configured, block_reason }), said);
  }
});

test('given a record, then it is held back by itself or with its company, and only while it waits', () => {
  const free = { is_blocked: false, block_reason: null };
  const broken = { is_blocked: true, block_reason: 'schema_invalid' };
  const held = { is_blocked: true, block_reason: 'certificate_unavailable' };
  for (const [status, own, company, said] of [
    ['pending', free, null, free],
    ['pending', free, 'certificate_unavailable', held],
    ['pending', broken, null, broken],
    ['pending', broken, 'certificate_unavailable', broken],
    ['sending', free, 'certificate_unavailable', held],
    ['sending', free, null, free],
    ['accepted', free, 'certificate_unavailable', free],
    ['accepted_with_errors', free, 'certificate_unavailable', free],
    ['rejected', free, 'certificate_unavailable', free],
    [null, free, 'authority_not_configured', free],
  ] as const) {
    assert.deepEqual(recordBlocking({ status, ...own }, company), said, `${status} ${company}`);
  }
});

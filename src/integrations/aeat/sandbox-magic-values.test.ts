import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { magicValues, unknown_taxpayer_nif } from 'aeat-simulator';

const euros = (hundredths: bigint) => `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;

test('the page tells exactly these values', () => {
  const page = readFileSync(new URL('../../../docs/sandbox-magic-values.md', import.meta.url), 'utf8');
  const told = [...page.matchAll(/^\| `(\w+)` \| `(\w+)` \| `([\d.]+)` \|/gm)].map((match) => match.slice(1));
  const wanted = magicValues.map(({ outcome, recipient_nif, total }) => [
    outcome,
    recipient_nif,
    euros(total),
  ]);
  assert.deepEqual(told, wanted);
  assert.ok(page.includes(`\`${unknown_taxpayer_nif}\``));
});

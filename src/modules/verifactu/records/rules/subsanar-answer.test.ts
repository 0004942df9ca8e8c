import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subsanarAnswer } from './subsanar-answer.ts';

test('given each version, then the id is the one that its clients expect', () => {
  const record = { id: 'new', kind: 'alta' };
  assert.deepEqual(subsanarAnswer('2026-10-01', 'old', record), record);
  assert.deepEqual(subsanarAnswer('2026-06-01', 'old', record), {
    id: 'old',
    kind: 'alta',
    new_record_id: 'new',
  });
});

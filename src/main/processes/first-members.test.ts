import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstOf, rolesOf } from './first-members.ts';

const cases = [
  { role: 'all', processes: 1, processors: 2, first: ['api'] },
  { role: 'all', processes: 2, processors: 1, first: ['api'] },
  { role: 'all', processes: 2, processors: 2, first: ['api'] },
  { role: 'all', processes: 4, processors: 4, first: ['api', 'api', 'api'] },
  { role: 'all', processes: 2, processors: 16, first: ['api', 'api'] },
  { role: 'api', processes: 3, processors: 2, first: ['api'] },
  { role: 'worker', processes: 3, processors: 2, first: ['worker', 'worker', 'worker'] },
] as const;

for (const { role, processes, processors, first } of cases)
  test(`of ${processes} processes of role ${role}, ${first.length} start first on ${processors} processors`, () => {
    const roles = rolesOf(role, processes);
    assert.deepEqual(firstOf(roles, processors), first);
    assert.deepEqual(roles.slice(0, first.length), first);
  });

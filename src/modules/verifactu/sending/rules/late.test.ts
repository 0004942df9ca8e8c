import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onTimeSince } from './late.ts';

const now = new Date('2026-05-04T10:00:00Z');
const before = '2026-05-04T09:55:00.000Z';

const cases: [what: string, send_after: string | null, since: string | undefined][] = [
  ['nothing was sent yet', null, before],
  ['the waiting time goes on', '2026-05-04T10:00:01Z', undefined],
  ['it has just ended', '2026-05-04T10:00:00Z', undefined],
  ['it ended within five minutes', '2026-05-04T09:55:01Z', undefined],
  ['it ended five minutes ago', '2026-05-04T09:55:00Z', before],
  ['it ended long ago', '2026-05-01T00:00:00Z', before],
];
for (const [what, send_after, since] of cases)
  test(`when ${what}, records made before ${since ?? 'no time'} are late`, () => {
    const state = { send_after: send_after === null ? null : new Date(send_after) };
    assert.equal(onTimeSince(state, now)?.toISOString(), since);
  });

/** Every move, from each state of the clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Problem } from '../../kernel/problem.ts';
import { companyTime } from '../../platform/clock.ts';
import { aheadMaxMs, type ClockChange, moveClock } from './move-clock.ts';

const real = new Date('2026-05-04T10:00:00.000Z');
const hour = 3_600_000;
const later = '2026-05-04T12:00:00.000Z';

const running = (hours: number) => ({ clock_offset_ms: hours * hour, clock_frozen_at: null });
const standing = (at: string) => ({ clock_offset_ms: 0, clock_frozen_at: new Date(at) });

type State = ReturnType<typeof running> | ReturnType<typeof standing>;
/** State before, change, then the time now and an hour of real time later; null for a refusal. */
const cases: [name: string, State, ClockChange, [now: string, hour_later: string] | null][] = [
  ['real time', running(0), {}, ['10:00', '11:00']],
  ['ahead', running(2), {}, ['12:00', '13:00']],
  ['frozen', standing(later), {}, ['12:00', '12:00']],
  ['freeze', running(1), { now: null, frozen: true }, ['11:00', '11:00']],
  ['freeze by the key alone', running(1), { frozen: true }, ['11:00', '11:00']],
  ['freeze ahead', running(0), { now: later, frozen: true }, ['12:00', '12:00']],
  ['freeze again', standing(later), { now: null, frozen: true }, ['12:00', '12:00']],
  ['set forward, running', running(1), { now: later, frozen: false }, ['12:00', '13:00']],
  ['set forward by the key alone', running(1), { now: later }, ['12:00', '13:00']],
  ['set a standing one forward', standing('2026-05-04T11:30:00Z'), { now: later }, ['12:00', '12:00']],
  ['run on', standing(later), { now: null, frozen: false }, ['12:00', '13:00']],
  ['run on behind real time', standing('2026-05-04T09:00:00Z'), { frozen: false }, ['09:00', '10:00']],
  ['run on from later', standing('2026-05-04T11:00:00Z'), { now: later, frozen: false }, ['12:00', '13:00']],
  ['the present', running(2), { now: later, frozen: false }, ['12:00', '13:00']],
  ['the present, standing', standing(later), { now: later, frozen: true }, ['12:00', '12:00']],
  ['another zone', running(1), { now: '2026-05-04T14:00:00+02:00', frozen: true }, ['12:00', '12:00']],
  ['back', running(2), { now: '2026-05-04T11:59:59.999Z' }, null],
  ['back, standing', standing(later), { now: '2026-05-04T11:59:59.999Z', frozen: true }, null],
  ['back to real time', running(2), { now: real.toISOString(), frozen: false }, null],
];

for (const [name, before, change, expected] of cases) {
  test(`${name}: ${expected === null ? 'refused' : `${expected[0]}, an hour later ${expected[1]}`}`, () => {
    const move = () => moveClock(before, change, real);
    if (expected === null) {
      assert.throws(move, (error) => error instanceof Problem && error.details.param === 'now');
      return;
    }
    const after = move();
    const shown = [real, new Date(real.getTime() + hour)].map((at) =>
      companyTime(after, at).toISOString().slice(11, 16),
    );
    assert.deepEqual(shown, expected);
  });
}

test('ten years ahead of real time are allowed, and not a millisecond more', () => {
  const at = (ms: number) => ({ now: new Date(real.getTime() + ms).toISOString() });
  const move = (ms: number) => moveClock(running(1), at(ms), real);
  assert.equal(move(aheadMaxMs).clock_offset_ms, aheadMaxMs);
  assert.throws(
    () => move(aheadMaxMs + 1),
    (error) => error instanceof Problem && error.def.code === 'business_rule_violation',
  );
});

test('whatever moves are made, time never runs backwards', () => {
  const steps = fc.array(
    fc.record({
      wait_ms: fc.integer({ min: 0, max: 1000 * hour }),
      ahead_ms: fc.option(fc.integer({ min: -hour, max: 1000 * hour })),
      frozen: fc.option(fc.boolean(), { nil: undefined }),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(steps, (moves) => {
      let clock: State = running(0);
      let now = real;
      let last = real;
      for (const { wait_ms, ahead_ms, frozen } of moves) {
        now = new Date(now.getTime() + wait_ms);
        const before = companyTime(clock, now);
        assert.ok(before >= last);
        const wanted = ahead_ms === null ? null : new Date(before.getTime() + ahead_ms);
        try {
          clock = moveClock(
            clock,
            { now: wanted?.toISOString() ?? null, ...(frozen === undefined ? {} : { frozen }) },
            now,
          ) as State;
        } catch (error) {
          assert.ok(error instanceof Problem && wanted !== null);
        }
        last = companyTime(clock, now);
        assert.ok(last >= before);
      }
    }),
  );
});

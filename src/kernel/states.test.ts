import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonErrors as c } from './common.errors.ts';
import { Problem, problemMessage } from './problem.ts';
import { defineStates } from './states.ts';

const no = c.invalid_status_transition;
const table = {
  draft: { send: 'open', pay: no, close: no, burn: no },
  open: { send: 'open', pay: 'paid', close: 'open', burn: no },
  paid: { send: 'paid', pay: c.business_rule_violation, close: 'paid', burn: 'paid' },
} as const;
type State = keyof typeof table;
type Move = keyof (typeof table)['draft'];

const plain = defineStates<State, Move>(table);
const worded = defineStates<State, Move>(table, {
  draft: 'en borrador',
  open: 'sin pagar',
  paid: 'pagada',
});

const refusals: [typeof plain, State, Move, string][] = [
  [
    plain,
    'draft',
    'pay',
    'El estado actual no permite esta operación: está en «draft», y hace falta que esté en «open».',
  ],
  [
    plain,
    'draft',
    'close',
    'El estado actual no permite esta operación: está en «draft», y hace falta que esté en «open» o en «paid».',
  ],
  [plain, 'paid', 'pay', 'La operación incumple una regla: está en «paid», y hace falta que esté en «open».'],
  [
    worded,
    'open',
    'burn',
    'El estado actual no permite esta operación: está sin pagar, y hace falta que esté pagada.',
  ],
];
for (const [states, from, move, message] of refusals)
  test(`given ${from}, when ${move} is refused, then it says: ${message}`, () => {
    assert.throws(
      () => states.next(from, move, { param: 'quote' }),
      (thrown) =>
        thrown instanceof Problem &&
        thrown.details.param === 'quote' &&
        problemMessage(thrown.def, thrown.details.values) === message,
    );
  });

test('given a move that is allowed, then it answers the next state', () => {
  assert.deepEqual([plain.next('open', 'pay'), plain.peek('open', 'pay')], ['paid', 'paid']);
});

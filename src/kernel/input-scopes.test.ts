import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopesOfInput } from './input-scopes.ts';

const one = [{ param: 'options.send', scope: 'x:send' }];
const each = [{ param: 'items.*.options.send', scope: 'x:send' }];

const cases = [
  [one, { options: { send: true } }, ['x:send']],
  [one, { options: { send: 'yes' } }, ['x:send']],
  [one, { options: { send: 0 } }, ['x:send']],
  [one, { options: { send: false } }, []],
  [one, { options: { send: null } }, []],
  [one, { options: {} }, []],
  [one, { options: null }, []],
  [one, { options: 'send' }, []],
  [one, undefined, []],
  [one, [{ options: { send: true } }], []],
  [each, { items: [{}, { options: { send: true } }] }, ['x:send']],
  [each, { items: [{ options: { send: false } }, null, 7, []] }, []],
  [each, { items: { 0: { options: { send: true } } } }, []],
  [each, { items: [] }, []],
] as const;

for (const [asked, body, scopes] of cases)
  test(`${JSON.stringify(body)} asks for ${scopes.join() || 'nothing'} by ${asked[0]!.param}`, () => {
    assert.deepEqual(scopesOfInput(asked, body), scopes);
  });

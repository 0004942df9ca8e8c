import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopesOfChange, scopesOfInput } from './input-scopes.ts';

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

const changing = [
  { param: 'send', scope: 'x:send', if_changed: true },
  { param: 'pay', scope: 'x:pay' },
] as const;

for (const [body, shown, scopes] of [
  [{ send: true }, { send: false }, ['x:send']],
  [{ send: 'a' }, { send: 'b' }, ['x:send']],
  [{ send: 'a' }, { send: null }, ['x:send']],
  [{ send: true }, { send: true }, []],
  [{ send: false }, { send: true }, []],
  [{ send: null }, { send: 'a' }, []],
  [{}, { send: true }, []],
  [{ pay: true }, { pay: false }, []],
] as const)
  test(`${JSON.stringify(body)} sent for ${JSON.stringify(shown)} asks for ${scopes.join() || 'nothing'}`, () => {
    assert.deepEqual(scopesOfChange(changing, body, shown), scopes);
  });

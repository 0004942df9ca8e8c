import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newId } from '../../kernel/uuid7.ts';
import { makeMessageIds } from './message-id.ts';

const from = 'facturas@folio.example';

test('a Message-ID names its e-mail, the same each time, and is a text that headers carry as it is', () => {
  const ids = makeMessageIds([randomBytes(32)]);
  const email = { company_id: newId(), id: newId() };
  const text = ids.of(email, from);
  assert.match(text, /^<[A-Za-z0-9_-]{64}@folio\.example>$/);
  assert.equal(ids.of(email, from), text);
  assert.deepEqual(ids.read(text), email);
  assert.deepEqual(ids.read(`  ${text}\t`), email);
  assert.notEqual(ids.of({ ...email, id: newId() }, from), text);
});

test('one that somebody made up, or another installation, is none of ours', () => {
  const key = randomBytes(32);
  const ids = makeMessageIds([key]);
  const text = ids.of({ company_id: newId(), id: newId() }, from);
  const other = text.startsWith('<A') ? 'B' : 'A';
  const forged = [
    `<${other}${text.slice(2)}`,
    text.slice(1, -1),
    `${text}${text}`,
    text.replace('@', '@@'),
    '<@folio.example>',
    '',
    '<CAFxyz@mail.example.com>',
    'a'.repeat(100_000),
  ];
  for (const one of forged) assert.equal(ids.read(one), undefined, one.slice(0, 100));
  assert.equal(makeMessageIds([randomBytes(32)]).read(text), undefined);
  assert.ok(
    makeMessageIds([randomBytes(32), key]).read(text),
    'one of before the key was changed is still ours',
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError } from '../command-error.ts';
import { explain } from '../explain.ts';
import { explainRestoring } from './restore-backup.ts';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });
const full = withCode('could not extend file "base/1/1": No space left on device', '53100');

test('given a database whose disk is full or that went away, when a restore ends by it, then the sentence says what to do next', () => {
  for (const error of [full, withCode('write CONNECTION_CLOSED db:5432', 'CONNECTION_CLOSED')]) {
    const told = explainRestoring(error, 'and run it again');
    assert.ok(told instanceof CommandError);
    assert.equal(
      told.message,
      `The restore was not finished (${error.message}): see that the database runs and that its disk has room, and run it again.`,
    );
  }
  const other = new Error('a fault of the program');
  assert.equal(explainRestoring(other, 'and run it again'), other);
});

test('given a database whose disk is full, when any command ends by it, then the sentence is about the disk', () => {
  assert.equal(explain(full), 'The disk of the database is full: make room there, and do it again.');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError } from '../command-error.ts';
import { explain } from '../explain.ts';
import { explainMoving } from './move-folder.ts';
import { explainRestoring } from './restore-backup.ts';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });
const full = withCode('could not extend file "base/1/1": No space left on device', '53100');

test('given a database whose disk is full or that went away, when a restore ends by it, then the sentence says what to do next', () => {
  for (const error of [full, withCode('write CONNECTION_CLOSED db:5432', 'CONNECTION_CLOSED')]) {
    const told = explainRestoring(error, 'restore', 'and run it again');
    assert.ok(told instanceof CommandError);
    assert.equal(
      told.message,
      `The restore was not finished (${error.message}): see that the database runs and that its disk has room, and run it again.`,
    );
  }
  const other = new Error('a fault of the program');
  assert.equal(explainRestoring(other, 'restore', 'and run it again'), other);
});

test('given a database whose disk is full, when any command ends by it, then the sentence is about the disk', () => {
  assert.equal(explain(full), 'The disk of the database is full: make room there, and do it again.');
});

test('given a move that ends by a full disk or a lost database, then the sentence is about a move, and about no folder that is gone', () => {
  const told = (error: unknown) => (error as Error).message;
  const own = withCode('ENOSPC: no space left on device, write', 'ENOSPC');
  assert.equal(
    told(explainMoving(own, '/data/move-7')),
    'The move was not finished (ENOSPC: no space left on device, write), and the new database is empty: ' +
      'the rows are kept in /data on their way: make room on its disk, and move again.',
  );
  const lost = withCode('write CONNECTION_CLOSED db:5432', 'CONNECTION_CLOSED');
  assert.match(
    told(explainMoving(lost, '/data/move-7')),
    /see that the database which is moved runs, and move again\.$/,
  );
  assert.equal(
    told(explainRestoring(full, 'move', 'and run it again')),
    `The move was not finished (${full.message}): see that both databases run and that their disks have room, and run it again.`,
  );
});

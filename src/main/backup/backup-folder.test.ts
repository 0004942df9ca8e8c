import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError } from '../command-error.ts';
import { explainUnfinished } from './backup-folder.ts';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

test('given a disk that is full or a database that went away, when a backup ends by it, then the sentence says to remove what was begun', () => {
  const full = explainUnfinished(withCode('ENOSPC: no space left on device, write', 'ENOSPC'), '/b');
  assert.match((full as Error).message, /not finished .*: remove that folder, and make the backup on a disk/);

  const lost = explainUnfinished(withCode('write CONNECTION_CLOSED db:5432', 'CONNECTION_CLOSED'), '/b');
  assert.ok(lost instanceof CommandError);
  assert.match(
    lost.message,
    /not finished .*: remove that folder, and make the backup again once the database answers\.$/,
  );

  const other = new Error('a fault of the program');
  assert.equal(explainUnfinished(other, '/b'), other);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStarter } from './starter.ts';

const cases: [command: string[], is: boolean][] = [
  [['npm start'], true],
  [['npm exec folio serve'], true],
  [['npm run folio'], true],
  [['/usr/bin/node', '/usr/lib/node_modules/npm/bin/npm-cli.js', 'start'], true],
  [['sh', '-c', 'node src/main/folio.cjs serve'], true],
  [['/usr/bin/fish', '-c', 'node src/main/folio.cjs serve'], true],
  [['sh', '-c', "'folio' serve"], true],
  [['/bin/sh', '-c', 'exec sleep 1'], false],
  [['sh', '-c', 'npm start'], false],
  [['/opt/folio/run'], false],
  [['/sbin/init'], false],
  [['/lib/systemd/systemd', '--user'], false],
  [['tini', '--', 'sleep'], false],
  [[''], false],
];
for (const [command, is] of cases)
  test(`a process "${command.join(' ')}" ${is ? 'can have started' : 'has adopted'} the service`, () => {
    assert.equal(isStarter(command), is);
  });

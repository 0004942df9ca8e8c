import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcess, isAlive, ownIdentity } from './processes.ts';

test('this process is alive and known by its command', () => {
  const own = ownIdentity();
  assert.equal(isAlive(own), true);
  const [program = ''] = findProcess(own.pid)?.command ?? [];
  assert.equal(basename(program), basename(process.execPath));
});

test('a process that started at another moment is another process', () => {
  assert.equal(isAlive({ ...ownIdentity(), started: 'at another moment' }), false);
});

test('a dead process is dead, and no pid at all too', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  for (const candidate of [pid, 0, -1, Number.NaN, 1.5]) assert.equal(findProcess(candidate), undefined);
});

test('a zombie is dead although signals still reach it', async () => {
  // `sleep` replaces the shell and never waits for the shell's child.
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 30'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: parent.stdout }), 'line');
  const pid = Number(line);
  while (findProcess(pid) !== undefined) await sleep(5);
  assert.doesNotThrow(() => process.kill(pid, 0));
  parent.kill('SIGKILL');
});

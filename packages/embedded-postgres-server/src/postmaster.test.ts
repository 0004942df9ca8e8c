import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitUntilReady } from './postmaster.ts';
import { ownIdentity } from './processes.ts';

const pgdata = mkdtempSync(join(tmpdir(), 'postmaster-test-'));
after(() => rmSync(pgdata, { recursive: true, force: true }));

for (const [whose, socket_dir, is_ready] of [
  ['a server that was killed and had the same pid, as in a new container', '/tmp/ledger-pg-before', false],
  ['the server itself', '/tmp/ledger-pg-now', true],
] as const)
  test(`given a postmaster.pid of ${whose}, then the server is ${is_ready ? 'ready' : 'waited for'}`, async () => {
    const identity = ownIdentity();
    const file = [identity.pid, pgdata, 1795921825, 5432, socket_dir, '', '  1  2', 'ready   ', ''];
    writeFileSync(join(pgdata, 'postmaster.pid'), file.join('\n'));
    const server = { identity, died: new Promise<void>(() => undefined), has_died: () => false };
    const place = { socket_dir: '/tmp/ledger-pg-now', port: 5432 };
    assert.equal(await waitUntilReady(pgdata, server, place, 0.05), is_ready);
  });

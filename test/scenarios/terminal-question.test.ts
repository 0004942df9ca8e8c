/** A command that asks somebody at a terminal, which `script` of util-linux plays. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Installation, program, projectRoot } from '../support/installation.ts';

const player = 'script';
const create = ['company', 'create', '--name', 'Acme', '--tax-id', 'B12345674', '--json'];
const is_here = process.platform === 'linux' && spawnSync(player, ['--version']).status === 0;

/** Types once it is asked. @returns what the terminal shows, and the exit code */
async function answer(place: Installation, typed: string): Promise<{ shown: string; code: number | null }> {
  const line = [process.execPath, ...program, ...create].map((word) => `'${word}'`).join(' ');
  const terminal = spawn(player, ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd: projectRoot,
    env: place.environment({ TERM: 'dumb' }),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let heard = '';
  terminal.stdout.setEncoding('utf8').on('data', (part: string) => {
    const was_asked = heard.includes('[y/N]');
    heard += part;
    if (!was_asked && heard.includes('[y/N]')) terminal.stdin.write(typed);
  });
  const ended = new Promise<number | null>((resolve) => terminal.on('close', resolve));
  const shown = await text(terminal.stdout);
  return { shown, code: await ended };
}

test('given a tax id that a live company has, when another company of it is made at a terminal, then somebody is asked', {
  skip: is_here ? false : 'there is no script to play a terminal',
}, async (t) => {
  const place = await Installation.makeMigrated(t);
  await place.keepDatabase();
  const first = await place.run(create);
  assert.equal(first.code, 0, first.stderr);
  const companies = async () => JSON.parse((await place.run(['company', 'list', '--json'])).stdout).length;
  for (const typed of ['n\r', '\r', '\u0003', '\u0004']) {
    const { shown, code } = await answer(place, typed);
    assert.match(
      shown,
      /Acme \(\S{36}\) has the tax id B12345674 already\. Make another company with it\? \[y\/N\]/,
    );
    assert.match(shown, /folio: No company was made\.\r\n$/, JSON.stringify(typed));
    assert.equal(code, 1);
  }
  assert.equal(await companies(), 1);
  const { shown, code } = await answer(place, 'y\r');
  assert.match(shown, /"live_key":"svc_live_/);
  assert.deepEqual([code, await companies()], [0, 2]);
});

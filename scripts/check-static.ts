/**
 * `npm run check:static`: the checks that run no test, as many at a time as there are cores. Each is a script of
 * package.json, started without an npm of its own, which takes a third of a second. What one says is printed in one piece.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { compiledSources } from './compiled-sources.ts';

/** The longest first. */
const checks = [
  'typecheck',
  'check:unused',
  'check:openapi',
  'check:printed',
  'check:operations',
  'check:citations',
  'lint',
  'format:check',
  'check:layers',
  'check:functions',
  'check:tables',
  'check:patterns',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

const env = { ...process.env, ...compiledSources(root) };
const waiting = [...checks];
const failed: string[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runWaiting(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const command = scripts[name];
    if (command === undefined) throw new Error(`package.json has no script ${name}.`);
    const began = performance.now();
    const child = spawn(command, { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.on('error', reject).on('close', resolve);
    const [status, said, complained] = await Promise.all([promise, text(child.stdout), text(child.stderr)]);
    if (status !== 0) failed.push(name);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${said}${complained}${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  }
}

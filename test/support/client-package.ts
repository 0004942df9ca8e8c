/** `packages/client` as others have it: built, packed, and installed in a folder of their own. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './installation.ts';

export const clientSource = join(projectRoot, 'packages/client');

const node = (args: string[], cwd: string) => execFileSync(process.execPath, args, { cwd, stdio: 'pipe' });

const npm = (args: string[], cwd: string) => {
  const cli = process.env.npm_execpath;
  execFileSync(cli ? process.execPath : 'npm', cli ? [cli, ...args] : args, { cwd, stdio: 'pipe' });
};

const pause = new Int32Array(new SharedArrayBuffer(4));

/** As it is published. To build it takes three seconds of the processor, so a run builds it once. @param folder an empty one */
function packClient(folder: string): string {
  const { FOLIO_TEST_FOLDER: run_folder } = process.env;
  if (!run_folder) return buildPacked(folder);
  const [kept, claim] = [join(run_folder, 'folio-client.tgz'), join(run_folder, 'folio-client.claim')];
  while (!existsSync(kept))
    if (!isMade(claim)) Atomics.wait(pause, 0, 0, 100);
    else
      try {
        // Whoever waits for it finds it whole.
        const beside = join(run_folder, 'folio-client.beside');
        copyFileSync(buildPacked(folder), beside);
        renameSync(beside, kept);
      } finally {
        rmdirSync(claim);
      }
  return kept;
}

/** Whether this process is the one that made the folder. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function buildPacked(folder: string): string {
  const built = join(folder, 'built');
  mkdirSync(built);
  node([join(clientSource, 'scripts/build.ts'), built], projectRoot);
  npm(['pack', '--ignore-scripts', '--pack-destination', folder], built);
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
}

/** Programs of the folder may import `folio-client` then. */
export function installClient(folder: string): void {
  const packed = packClient(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  npm(['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', packed], folder);
}

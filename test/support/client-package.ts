/** `packages/client` as others have it: built, packed, and installed in a folder of their own. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './installation.ts';

export const clientSource = join(projectRoot, 'packages/client');

const node = (args: string[], cwd: string) => execFileSync(process.execPath, args, { cwd, stdio: 'pipe' });

const npm = (args: string[], cwd: string) => {
  const cli = process.env.npm_execpath;
  execFileSync(cli ? process.execPath : 'npm', cli ? [cli, ...args] : args, { cwd, stdio: 'pipe' });
};

/** As it is published. To build it takes three seconds of the processor, so files of a run share one. @param folder an empty one */
function packClient(folder: string): string {
  const { FOLIO_TEST_FOLDER: run_folder } = process.env;
  const kept = run_folder && join(run_folder, 'folio-client.tgz');
  if (kept && existsSync(kept)) return kept;
  const packed = buildPacked(folder);
  if (kept) {
    // Two processes may build it at once: each then goes on with its own.
    const beside = `${kept}.${process.pid}`;
    copyFileSync(packed, beside);
    renameSync(beside, kept);
  }
  return packed;
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

/** The same for programs alone: npm takes a second of the processor, and the package needs no other. */
export function unpackClient(folder: string): void {
  const packed = packClient(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const place = join(folder, 'node_modules/folio-client');
  mkdirSync(place, { recursive: true });
  execFileSync('tar', ['-xzf', packed, '--strip-components=1', '-C', place]);
}

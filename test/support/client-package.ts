/** `packages/client` as others have it: built, packed, and installed in a folder of their own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './installation.ts';

export const clientSource = join(projectRoot, 'packages/client');

const node = (args: string[], cwd: string) => execFileSync(process.execPath, args, { cwd, stdio: 'pipe' });

const npm = (args: string[], cwd: string) => {
  const cli = process.env.npm_execpath;
  execFileSync(cli ? process.execPath : 'npm', cli ? [cli, ...args] : args, { cwd, stdio: 'pipe' });
};

/** Programs of the folder may import `folio-client` then. */
export function installClient(folder: string): void {
  const built = join(folder, 'built');
  mkdirSync(built);
  node([join(clientSource, 'scripts/build.ts'), built], projectRoot);
  npm(['pack', '--ignore-scripts', '--pack-destination', folder], built);
  const [packed] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  npm(['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${packed}`], folder);
}

/**
 * `npm run -s inventory`: what the delivered service is made of, as CycloneDX 1.5. npm writes it from package-lock.json,
 * without the network. Tools of development are left out, but for what the build puts into the dashboard's pages.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImports } from './read-imports.ts';
import { root, sourcesIn } from './source-files.ts';

type Property = { name: string; value: string };
type Component = { 'bom-ref': string; name: string; type: string; properties?: Property[]; scope?: string };
type Inventory = {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

function fromNpm(): Inventory {
  const asked = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const cli = process.env.npm_execpath;
  const [command, args] = cli ? [process.execPath, [cli, ...asked]] : ['npm', asked];
  const { status, stdout, stderr } = spawnSync(command, [...args, '--offline'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`npm sbom ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Inventory;
}

/** Packages that the dashboard's sources name: the build puts them into its pages. */
function bundled(): Set<string> {
  const folder = join(root, 'web/src');
  const imports = sourcesIn(folder)
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => readImports(readFileSync(join(folder, file), 'utf8')));
  const names = imports
    .filter(({ from, is_type }) => !is_type && !from.startsWith('.') && !from.startsWith('node:'))
    .map(({ from }) =>
      from
        .split('/')
        .slice(0, from.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return new Set(names);
}

const isDevelopment = ({ properties = [] }: Component) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

/** These and all that they need. */
function withDependencies(refs: readonly string[], { dependencies }: Inventory): Set<string> {
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const found = new Set(refs);
  for (const ref of found) for (const other of needs.get(ref) ?? []) found.add(other);
  return found;
}

const all = fromNpm();
const names = bundled();
const direct = new Set(
  all.dependencies.find(({ ref }) => ref === all.metadata.component['bom-ref'])?.dependsOn,
);
const shown = withDependencies(
  all.components.filter((c) => names.has(c.name) && direct.has(c['bom-ref'])).map((c) => c['bom-ref']),
  all,
);
const components = all.components.filter((c) => !isDevelopment(c) || shown.has(c['bom-ref']));
const kept = new Set([all.metadata.component['bom-ref'], ...components.map((c) => c['bom-ref'])]);
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string };
const inventory = {
  ...all,
  // npm takes the name of the folder.
  metadata: { ...all.metadata, component: { ...all.metadata.component, name } },
  components,
  dependencies: all.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) })),
};
// Whoever read has gone, as in `npm run -s inventory | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.stdout.write(`${JSON.stringify(inventory, null, 2)}\n`);

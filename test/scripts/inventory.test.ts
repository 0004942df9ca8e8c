import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/source-files.ts';

type Part = { 'bom-ref': string; name: string; version: string; licenses?: unknown[]; hashes?: unknown[] };

test('given the lock file, when the inventory is printed, then it holds what is delivered and nothing else', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/inventory.ts')], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.equal(status, 0, stderr);
  const { bomFormat, specVersion, metadata, components, dependencies } = JSON.parse(stdout) as {
    bomFormat: string;
    specVersion: string;
    metadata: { component: Part & { type: string } };
    components: Part[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };
  assert.deepEqual([bomFormat, specVersion], ['CycloneDX', '1.5']);
  const { name, version, type } = metadata.component;
  assert.deepEqual([name, version, type], ['folio', manifest.version, 'application']);
  const versions = new Map(components.map((part) => [`${part.name}@${part.version}`, part]));
  for (const [needed, exact] of Object.entries({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
  })) {
    const is_ours = exact.startsWith('file:');
    const part = is_ours ? components.find((c) => c.name === needed) : versions.get(`${needed}@${exact}`);
    assert.ok(part, `${needed} ${exact}`);
    if (is_ours) continue;
    assert.equal(part.licenses?.length, 1, `the licence of ${needed}`);
    assert.equal(part.hashes?.length, 1, `the hash of ${needed}`);
  }
  const has = (wanted: string) => components.some((part) => part.name === wanted);
  // Built into the dashboard's pages, and what those need.
  for (const one of ['react', 'react-dom', '@mantine/core', '@tanstack/react-query', '@floating-ui/react'])
    assert.ok(has(one), one);
  for (const one of ['vite', 'typescript', 'playwright-core', '@biomejs/biome', 'fast-check', 'stripe'])
    assert.ok(!has(one), one);
  const refs = new Set([`folio@${manifest.version}`, ...components.map((part) => part['bom-ref'])]);
  for (const { ref, dependsOn } of dependencies)
    for (const one of [ref, ...dependsOn]) assert.ok(refs.has(one), one);
});

test('given a reader who leaves, as head does, when the inventory is printed, then it ends without a complaint', async () => {
  const child = spawn(process.execPath, [join(root, 'scripts/inventory.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const [code] = await once(child, 'close');
  assert.deepEqual([code, complaint], [0, '']);
});

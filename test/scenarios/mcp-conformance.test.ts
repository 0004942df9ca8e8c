/**
 * The official suite against the product's own route. With fixtures behind it, all that the revision requires; with the
 * product's own tools, all that needs no fixture. docs/conformance/mcp-server.md is the report; FOLIO_TEST_UPDATE=1 writes it.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startApp, type StartOptions } from '../harness.ts';
import { conformanceFixtures } from '../support/conformance-fixtures.ts';
import { startCredentialProxy } from '../support/credential-proxy.ts';
import { projectRoot } from '../support/installation.ts';

const revision = '2026-07-28';
const file = join(projectRoot, 'docs', 'conformance', 'mcp-server.md');
const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

async function runSuite(t: TestContext, url: string, words: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'folio-conformance-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [suite, 'server', '--url', url, '-o', folder, ...words], {
    cwd: folder,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  await new Promise((resolve) => child.on('close', resolve));
  return said;
}

/** Of the product's own tools: the other scenarios call tools, resources and prompts of fixed names. */
const withoutFixtures = [
  'tools-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
  'input-required-result-unsupported-methods',
  'http-header-validation',
];

type Result = { name: string; passed: number; failed: number };

function resultsIn(said: string): Result[] {
  const lines = said.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm);
  return [...lines].map(([, name = '', passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
  }));
}

/** Those that decide, by the suite's own words. */
function scored(said: string): Result[] {
  const [, beside = ''] = said.split('Not scored for');
  return resultsIn(said).filter(({ name }) => !beside.includes(` ${name} (`));
}

function tableOf(results: readonly Result[]): string {
  const rows = results.map(({ name, passed, failed }) => `| ${name} | ${passed} | ${failed} |`);
  const good = results.filter(({ failed }) => failed === 0).length;
  return [
    `${good} of ${results.length} scenarios.`,
    '',
    '| Scenario | Checks passed | Failed |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

async function results(t: TestContext, options: StartOptions): Promise<string> {
  const app = await startApp(t, options);
  const { live_key } = await app.given.company();
  const url = await startCredentialProxy(t, app.url, live_key);
  return runSuite(t, url, ['--requirements', revision]);
}

const { version } = JSON.parse(readFileSync(join(dirname(suite), '..', 'package.json'), 'utf8')) as {
  version: string;
};

test('given the official suite, then the route passes all that the revision requires, and the report says so', async (t) => {
  const required = scored(await results(t, { serves_mcp: conformanceFixtures }));
  const own = resultsIn(await results(t, { fresh: true })).filter(({ name }) =>
    withoutFixtures.includes(name),
  );
  const report = `# Conformance of /mcp

Written by \`FOLIO_TEST_UPDATE=1 npm test -- test/scenarios/mcp-conformance.test.ts\`, which compares it otherwise.
\`@modelcontextprotocol/conformance\` ${version}, \`server --requirements ${revision}\`, through a proxy that adds a key.

## With the fixtures of the suite on the route of the service

${tableOf(required)}

## With the tools of the service

Every scenario that needs no fixture.

${tableOf(own)}
`;
  for (const { name, failed } of [...required, ...own]) assert.equal(failed, 0, name);
  assert.deepEqual([required.length, own.length], [37, withoutFixtures.length]);
  if (process.env.FOLIO_TEST_UPDATE === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, report);
  }
  assert.equal(readFileSync(file, 'utf8'), report);
});

/**
 * The official suite. Against the route of tools: with fixtures behind it, all that the revision requires; with the product's
 * own tools, all that needs no fixture. Against the authorization server: all that it has. The reports are in docs/conformance;
 * FOLIO_TEST_UPDATE=1 writes them.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { onOwnDatabase, type StartOptions } from '../harness.ts';
import { findFreePort } from '../support/free-port.ts';
import { conformanceFixtures } from '../support/conformance-fixtures.ts';
import { startCredentialProxy } from '../support/credential-proxy.ts';
import { projectRoot } from '../support/installation.ts';
import { givenClient, givenPerson, openConsent, sendForm } from '../support/oauth.ts';

const startApp = onOwnDatabase();

const revision = '2026-07-28';
const written =
  'Written by `FOLIO_TEST_UPDATE=1 npm test -- test/scenarios/conformance.test.ts`, which compares it otherwise.';
const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

/** @param hear is given all that it has said so far, each time that it says something */
async function runSuite(
  t: TestContext,
  words: readonly string[],
  hear: (said: string) => void = () => {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'folio-conformance-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [suite, ...words, '-o', folder], { cwd: folder });
  t.after(() => child.kill());
  // Apart, and by characters: a piece may end in the middle of a line, or of a sign.
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      said[name] += piece;
      hear(`${said.stdout}\n${said.stderr}`);
    });
  await new Promise((resolve) => child.on('close', resolve));
  return `${said.stdout}\n${said.stderr}`;
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
  return runSuite(t, ['server', '--url', url, '--requirements', revision]);
}

const { version } = JSON.parse(readFileSync(join(dirname(suite), '..', 'package.json'), 'utf8')) as {
  version: string;
};

function compareReport(name: string, report: string): void {
  const file = join(projectRoot, 'docs', 'conformance', `${name}.md`);
  if (process.env.FOLIO_TEST_UPDATE === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, report);
  }
  assert.equal(readFileSync(file, 'utf8'), report);
}

test('given the official suite, then the route passes all that the revision requires, and the report says so', async (t) => {
  const required = scored(await results(t, { serves_mcp: conformanceFixtures }));
  const own = resultsIn(await results(t, { fresh: true })).filter(({ name }) =>
    withoutFixtures.includes(name),
  );
  const report = `# Conformance of /mcp

${written}
\`@modelcontextprotocol/conformance\` ${version}, \`server --requirements ${revision}\`, through a proxy that adds a key.

## With the fixtures of the suite on the route of the service

${tableOf(required)}

## With the tools of the service

Every scenario that needs no fixture.

${tableOf(own)}
`;
  for (const { name, failed } of [...required, ...own]) assert.equal(failed, 0, name);
  assert.deepEqual([required.length, own.length], [37, withoutFixtures.length]);
  compareReport('mcp-server', report);
});

/** The suite prints the address for a browser and waits. The test is the browser, with a person who is signed in. */
async function runAuthorization(t: TestContext, resource: 'mcp' | null): Promise<Result[]> {
  const app = await startApp(t);
  const acme = await app.given.company();
  const person = await givenPerson(app, acme);
  const port = await findFreePort();
  const { client_id } = await givenClient(app, acme, 'public', `http://127.0.0.1:${port}/callback`);
  let consent: Promise<void> | undefined;
  async function allow(query: string): Promise<void> {
    const { fields } = await openConsent(app, person, query);
    const answer = await sendForm(app, person, [...fields, ['decision', 'allow']]);
    const location = String(answer.headers.location);
    app.given.secrets.push(new URL(location).searchParams.get('code') ?? '');
    await (await fetch(location)).text();
  }
  const words = ['authorization', '--url', app.url, '--client-id', client_id, '--port', String(port)];
  const said = await runSuite(
    t,
    [...words, ...(resource ? ['--resource', `${app.url}/${resource}`] : [])],
    (so_far) => {
      const [, query] = /\/oauth\/authorize\?(\S+)\s+Waiting/.exec(so_far) ?? [];
      if (query) consent ??= allow(query);
    },
  );
  await consent;
  return resultsIn(said);
}

test('given the official suite and a person who consents, then the authorization server passes all of it, and the report says so', async (t) => {
  const runs = [
    ['Without `resource`', await runAuthorization(t, null)],
    ['With `resource` of the tools', await runAuthorization(t, 'mcp')],
  ] as const;
  for (const [of, results] of runs) {
    assert.deepEqual(
      results.map(({ name, passed, failed }) => [name, passed, failed]),
      [
        ['authorization-server-metadata-endpoint', 2, 0],
        ['authorization-code-grant', 1, 0],
      ],
      of,
    );
  }
  compareReport(
    'authorization',
    `# Conformance of the authorization server

${written}
\`@modelcontextprotocol/conformance\` ${version}, \`authorization\`: two scenarios with three checks in all, with a public
client. A person is signed in, and the test fills in the consent. The suite sends no secret where a server admits public clients, so
confidential ones are tried with \`openid-client\` and \`oauth4webapi\` instead.

${runs.map(([of, results]) => `## ${of}\n\n${tableOf(results)}\n`).join('\n')}`,
  );
});

/**
 * Runs every sample of the reference, in each language that is installed here, against a server that notes what comes.
 * That the example itself is answered as printed is in openapi.test.ts.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { catalog } from '../../src/modules/catalog.ts';
import { sampleLanguages } from '../../src/surfaces/openapi/samples/languages.ts';
import { type SampleCall, sampleCall } from '../../src/surfaces/openapi/samples/sample-call.ts';

type Noted = {
  method: string;
  target: string;
  authorization: string | undefined;
  version: string | null;
  has_retry_key: boolean;
  body: unknown;
};

const noted: Noted[] = [];
const refusal = '{"error":{"message":"why"}}';
const server = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request;
  const body = await text(request);
  if (body !== '') assert.match(headers['content-type'] ?? '', /^application\/json/);
  noted.push({
    method,
    target: url,
    authorization: headers.authorization,
    version: (headers['service-version'] as string | undefined) ?? null,
    has_retry_key: (headers['idempotency-key'] ?? '').length >= 16,
    body: body === '' ? undefined : JSON.parse(body),
  });
  response.statusCode = url.endsWith('/refused') ? 422 : 200;
  response.setHeader('Content-Type', 'application/json').end(url.endsWith('/refused') ? refusal : '{}');
});
// Between two samples a busy machine may take longer than a connection is kept by itself.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const folder = mkdtempSync(join(tmpdir(), 'folio-samples-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Each has an address of its own. The last ones pin a version, and hold what a language could take for its own signs. */
const calls: SampleCall[] = catalog.flatMap((operation) =>
  operation.examples.map((example) => sampleCall(operation, example, { public_url: origin })),
);
const hostile = `'"\`$HOME \${1} #{2} \\ \\n %s {x} """ <?php ?>\n\t€🧾`;
const [create_client] = catalog.filter(({ name }) => name === 'create_client');
const body = { name: hostile, [hostile]: [true, false, null, {}, [], 0.1, -2, 1e21] };
calls.push(sampleCall(create_client!, { title: '', body }, { public_url: origin, version: '2026-06-01' }));
for (const [i, call] of calls.entries()) call.url = call.url.replace(origin, `${origin}/${i}`);

const isThere = (command: string) => spawnSync(command, ['--version']).status === 0;

/** Runs the samples of the folder that it is started in, one after another, in one process. */
const runners: Record<(typeof sampleLanguages)[number]['id'], [command: string, ...words: string[]]> = {
  // Where no uuidgen is installed, its answer is all that is missing. One curl makes all calls: to start it takes longer than a call.
  curl: [
    'bash',
    '-c',
    `command -v uuidgen >/dev/null || uuidgen() { cat /proc/sys/kernel/random/uuid; }; curl() { calls+=(--next "$@"); }; set -e; for file in *.txt; do . "./$file"; done; command curl --fail-early "\${calls[@]:1}" 2>/dev/null`,
  ],
  javascript: [
    process.execPath,
    '--input-type=module',
    '--eval',
    "import fs from 'node:fs'; for (const file of fs.readdirSync('.').filter((name) => name.endsWith('.txt'))) { fs.renameSync(file, file + '.mjs'); await import(process.cwd() + '/' + file + '.mjs'); }",
  ],
  python: [
    'python3',
    '-c',
    'import glob\nfor name in sorted(glob.glob("*.txt")):\n    exec(compile(open(name, encoding="utf-8").read(), name, "exec"), {})',
  ],
  php: ['php', '-r', 'foreach (glob("*.txt") as $file) { include $file; }'],
  csharp: isThere('dotnet') ? ['dotnet', 'run'] : ['mono', 'samples.exe'],
};

for (const { id, title, write } of sampleLanguages) {
  test(`every sample in ${title} makes its call`, async (t) => {
    const [command, ...words] = runners[id];
    // Mono's compiler brings what runs its programs.
    const needed = command === 'mono' ? 'mcs' : command;
    if (!isThere(needed)) return t.skip(`no ${needed} here`);
    const own = join(folder, id);
    mkdirSync(own);
    const samples = calls.map(write);
    if (id === 'csharp') (command === 'dotnet' ? writeProject : compileWithMono)(own, samples);
    else
      for (const [i, sample] of samples.entries())
        writeFileSync(join(own, `${String(i).padStart(4, '0')}.txt`), sample);
    noted.length = 0;
    const env = { ...process.env, FOLIO_API_KEY: 'svc_test_sample' };
    const child = spawn(command, words, { cwd: own, env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [complaints, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    assert.equal(status, 0, complaints);
    assert.deepEqual(noted, calls.map(expectedOf));
  });
}

test('a sample that is refused shows why and writes no file, in each language that is installed here', async () => {
  const url = `${origin}/refused`;
  const json: SampleCall = {
    ...sampleCall(create_client!, { title: '', body: {} }, { public_url: origin }),
    url,
  };
  const file: SampleCall = { ...json, method: 'GET', body: undefined, file: 'refused.pdf' };
  const env = { ...process.env, FOLIO_API_KEY: 'svc_test_sample' };
  const commands = {
    curl: ['bash', 'sh'],
    javascript: [process.execPath, 'mjs'],
    python: ['python3', 'py'],
    php: ['php', 'php'],
  };
  for (const [id, [command, ending]] of Object.entries(commands) as [string, [string, string]][]) {
    if (!isThere(command)) continue;
    const { write } = sampleLanguages.find((one) => one.id === id)!;
    for (const [call, wanted] of [
      [json, /why/],
      [file, /why|422/],
    ] as const) {
      const program = `refused.${ending}`;
      writeFileSync(join(folder, program), write(call));
      const child = spawn(command, [program], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const [shown, complaints] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      assert.match(call === json ? shown : shown + complaints, wanted, id);
      assert.ok(!existsSync(join(folder, 'refused.pdf')), id);
    }
  }
});

test('a sample in C# holds its call, where no compiler can say so', () => {
  const { write } = sampleLanguages.find(({ id }) => id === 'csharp')!;
  for (const call of calls) {
    const sample = write(call);
    const [, method, url = ''] = /HttpMethod\.(\w+), ("[^"]*")\)/.exec(sample) ?? [];
    assert.deepEqual([method?.toUpperCase(), JSON.parse(url)], [call.method, call.url]);
    // A raw string ends at its own line of three quotes, and loses that line's margin.
    const [, raw, margin = ''] = /StringContent\("{3}\n(.*?)\n( *)"{3}, /s.exec(sample) ?? [];
    const lines = raw?.split('\n');
    assert.ok(lines === undefined || lines.every((line) => line.startsWith(margin)));
    const body = lines?.map((line) => line.slice(margin.length));
    assert.deepEqual(body && JSON.parse(body.join('\n')), expectedOf(call).body);
    assert.equal((sample.match(/"{3}/g) ?? []).length, call.body === undefined ? 0 : 2);
    for (const [name, is_sent] of [
      ['Service-Version', call.version !== null],
      ['Idempotency-Key', call.needs_retry_key],
    ] as const)
      assert.equal(sample.includes(`request.Headers.Add("${name}"`), is_sent);
  }
});

function expectedOf({ method, url, needs_retry_key, version, body: sent }: SampleCall): Noted {
  const target = url.slice(origin.length);
  const body = sent === undefined ? undefined : JSON.parse(JSON.stringify(sent));
  return {
    method,
    target,
    authorization: 'Bearer svc_test_sample',
    version,
    has_retry_key: needs_retry_key,
    body,
  };
}

/** One program of all samples, each in a function of its own: a build takes seconds. */
function writeProject(own: string, samples: readonly string[]): void {
  const [major] = spawnSync('dotnet', ['--version']).stdout.toString().split('.');
  const { uses, functions, runs } = inFunctions(samples);
  writeFileSync(join(own, 'Program.cs'), [...uses, ...runs, ...functions].join('\n'));
  writeFileSync(
    join(own, 'samples.csproj'),
    `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net${major}.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>`,
  );
}

/**
 * Mono's compiler knows C# 7.2. Two forms of the samples are newer and are written as the older ones that mean the same: a
 * `using` without braces, and a raw string. Names, types and calls stay as the reader sees them.
 */
function compileWithMono(own: string, samples: readonly string[]): void {
  const older = samples.map((sample) =>
    sample.replace(/^using var /gm, 'var ').replace(
      /"{3}\n(.*?)\n( *)"{3}/gs,
      (_, raw: string, margin: string) =>
        `@"${raw
          .split('\n')
          .map((line) => line.slice(margin.length).replaceAll('"', '""'))
          .join('\n')}"`,
    ),
  );
  // What .NET 8 has without being asked.
  const usual = ['System', 'System.IO', 'System.Net.Http', 'System.Threading.Tasks'].map(
    (name) => `using ${name};`,
  );
  const { uses, functions, runs } = inFunctions(older);
  const main = `static async Task All()\n{\n${runs.join('\n')}\n}\nstatic void Main() => All().GetAwaiter().GetResult();`;
  const program = `static class Samples\n{\n${[...functions, main].join('\n')}\n}`;
  writeFileSync(join(own, 'samples.cs'), [...usual, ...uses, program].join('\n'));
  const words = ['-langversion:7.2', '-r:System.Net.Http.dll', '-out:samples.exe', 'samples.cs'];
  const { status, stderr, stdout } = spawnSync('mcs', words, { cwd: own, encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

/** Each sample in a function of its own. */
function inFunctions(samples: readonly string[]) {
  return {
    uses: new Set(samples.flatMap((sample) => sample.match(/^using [\w.]+;$/gm) ?? [])),
    functions: samples.map(
      (sample, i) => `static async Task S${i}()\n{\n${sample.replace(/^using [\w.]+;\n/gm, '')}\n}`,
    ),
    runs: samples.map((_, i) => `await S${i}();`),
  };
}

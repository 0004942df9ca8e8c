/**
 * The image as compose.yaml runs it: PostgreSQL made by its file of roles, secrets by files, a user who may write to
 * /data alone, API and worker apart. image-build.ts says what stands for a container engine.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { guideLanguages, guideNames } from '../../src/surfaces/openapi/guides.ts';
import { changelogPath, writtenPages } from '../../src/surfaces/openapi/served-addresses.ts';
import { type ComposeFile, readCompose } from '../support/compose-file.ts';
import { findFreePort } from '../support/free-port.ts';
import { buildImage, type Image } from '../support/image-build.ts';
import { projectRoot } from '../support/installation.ts';
import { ManagedDatabase } from '../support/managed-database.ts';
import { readSteps, tourScript } from '../support/readme-tour.ts';
import { ServiceProcess } from '../support/service-process.ts';

const skip =
  process.platform === 'linux' && process.getuid?.() === 0 ? false : 'an image is built by root, on Linux';

/** A container of the image. Its environment is the image's, then what is given. */
class Containers {
  readonly image: Image;
  readonly #running: ServiceProcess[] = [];

  constructor(t: TestContext, image: Image) {
    this.image = image;
    t.after(async () => {
      for (const process of this.#running) await process.kill();
    });
  }

  run(args: readonly string[], env: Record<string, string> = {}): ServiceProcess {
    return this.exec([...this.image.entrypoint, ...args], env);
  }

  /** As `docker exec`: any program, by the user and in the folder of the image. */
  exec([program = '', ...args]: readonly string[], env: Record<string, string> = {}): ServiceProcess {
    const { here, user, root, workdir } = this.image;
    const environment = { ...this.image.env, ...env, HOME: '/nonexistent' };
    const started = new ServiceProcess('env', [program, ...args], {
      cwd: join(root, workdir),
      env: Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, here(value)])),
      ...user,
      leads_group: true,
    });
    this.#running.push(started);
    return started;
  }

  async isHealthy(env: Record<string, string>): Promise<boolean> {
    return (await this.exec(this.image.healthcheck, env).exited()) === 0;
  }
}

function makeFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'folio-image-'));
  chmodSync(dir, 0o711);
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/**
 * Made by the script, and mounted where the file says, with another address of the database.
 * @returns what each secret holds
 */
function makeSecrets(
  dir: string,
  { root }: Image,
  { secrets }: ComposeFile,
  database: ManagedDatabase,
): string[] {
  cpSync(join(projectRoot, 'deploy'), join(dir, 'deploy'), { recursive: true });
  const script = [join(dir, 'deploy/make-secrets.sh')];
  execFileSync('sh', script);
  assert.equal(statSync(join(dir, 'secrets')).mode & 0o777, 0o700);
  assert.throws(() => execFileSync('sh', script, { stdio: 'pipe' }), /holds files already/);
  const mounted = join(root, 'run/secrets');
  mkdirSync(mounted, { recursive: true });
  const values = Object.entries(secrets).map(([name, { file }]) => {
    const value = readFileSync(join(dir, file), 'utf8');
    writeFileSync(join(mounted, name), value);
    return value.trim();
  });
  assert.deepEqual(readdirSync(join(dir, 'secrets')).sort(), Object.keys(secrets).sort());

  for (const name of ['database_url', 'database_migration_url']) {
    const file = join(mounted, name);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('@postgres:5432/', `@127.0.0.1:${database.port}/`),
    );
  }
  return values.map((value) => /:([0-9a-f]{64})@/.exec(value)?.[1] ?? value);
}

/** As the image of PostgreSQL does: its database, then the file of roles. Whoever is no superuser needs a password. */
async function makeDatabase(database: ManagedDatabase, { here }: Image): Promise<void> {
  await database.ask('create database folio');
  const rules = 'local all postgres trust\nlocal all all scram-sha-256\n';
  writeFileSync(join(database.pgdata, 'pg_hba.conf'), rules);
  await database.ask('select pg_reload_conf()');
  await database.ask(here(readFileSync(join(projectRoot, 'deploy/postgres/roles.sql'), 'utf8')), 'folio');
}

/** Of all that a user may read of a running process. */
const seenOf = ({ pid, stdout, stderr }: ServiceProcess): string =>
  [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`].map((file) => readFileSync(file, 'utf8')).join('') +
  stdout +
  stderr;

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort().join('\n');

test('given the image, when compose.yaml starts API and worker, then the tour runs, nothing is written but data, and no secret is seen', {
  skip,
}, async (t) => {
  const dir = makeFolder(t);
  const image = buildImage(dir);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  assert.throws(() => readCompose({}), /FOLIO_PUBLIC_URL: set it/);
  const compose = readCompose({ FOLIO_PUBLIC_URL: url });
  const database = await ManagedDatabase.make(t);
  const secrets = makeSecrets(dir, image, compose, database);
  await makeDatabase(database, image);
  const before = filesOf(join(image.root, 'app'));
  assert.equal(execFileSync('find', [image.root, '-not', '-type', 'l', '-perm', '/022']).toString(), '');

  const { migrate, api, worker } = compose.services;
  const containers = new Containers(t, image);
  const early = containers.run(api!.command, api!.environment);
  assert.equal(await early.exited(), 1);
  assert.match(early.stderr, /not up to date, .* set DATABASE_MIGRATION_URL/);
  const migrated = containers.run(migrate!.command, migrate!.environment);
  assert.equal(await migrated.exited(), 0, migrated.stderr);
  assert.match(migrated.stdout, /^Applied 0001/);

  const own = (number: number, metrics: number) => ({
    PORT: String(number),
    FOLIO_METRICS_PORT: String(metrics),
  });
  const of_api = { ...api!.environment, ...own(port, await findFreePort()) };
  const of_worker = { ...worker!.environment, ...own(await findFreePort(), await findFreePort()) };
  const [serving, working] = [
    containers.run(api!.command, of_api),
    containers.run(worker!.command, of_worker),
  ];
  await Promise.all([serving.says(/Reference: http/), working.says(/works in the background/)]);
  assert.deepEqual(
    await Promise.all(
      [of_api, of_worker, own(await findFreePort(), 0)].map((env) => containers.isHealthy(env)),
    ),
    [true, true, false],
  );
  for (const path of [
    '/dashboard',
    '/docs',
    ...Object.values(writtenPages),
    ...Object.values(changelogPath),
    ...guideLanguages.flatMap((language) => guideNames.map((name) => `/docs/guides/${language}/${name}`)),
    '/openapi.json',
    '/.well-known/security.txt',
  ]) {
    const { statusCode, body } = await request(`${url}${path}`);
    await body.dump();
    assert.equal(statusCode, path.endsWith('.txt') ? 404 : 200, path);
  }

  const steps = readSteps(readFileSync(join(projectRoot, 'README.md'), 'utf8'));
  const script = tourScript(steps, url).replaceAll('npm run -s folio --', 'folio');
  const scratch = join(image.root, 'data/tour');
  mkdirSync(scratch);
  chownSync(scratch, image.user.uid, image.user.gid);
  const tour = containers.exec(['bash', '-euo', 'pipefail', '-c', `cd '${scratch}'\n${script}`], of_api);
  assert.equal(await tour.exited(), 0, `${tour.stdout}\n${tour.stderr}`);
  assert.match(tour.stdout, /"aeat_status":"Correcto"[\s\S]*Intact\.[\s\S]*%PDF-[\s\S]*F2030-000004/);

  const seen = [serving, working].map(seenOf).join('') + JSON.stringify(compose);
  for (const secret of secrets) assert.ok(!seen.includes(secret), 'a secret is seen');
  for (const process of [serving, working]) process.signal('SIGTERM');
  assert.deepEqual(await Promise.all([serving.exited(), working.exited()]), [0, 0]);
  assert.equal(filesOf(join(image.root, 'app')), before);
  assert.ok(readdirSync(join(image.root, 'data')).includes('blobs'));

  // Without DATABASE_URL it makes a database of its own, by the same user, in the volume; and it fetches nothing.
  const without_network = ['unshare', '--map-current-user', '--net'];
  const can_be_alone = (await containers.exec([...without_network, 'true']).exited()) === 0;
  // Into a file: Node leaves out lines that a full pipe does not take, and this is a megabyte.
  const told = join(image.root, 'data/told.txt');
  const telling = ['sh', '-c', 'exec "$@" 2>"$0"', told, ...image.entrypoint, 'serve'];
  const alone = containers.exec([...(can_be_alone ? without_network : []), ...telling], {
    PORT: '0',
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
  });
  await alone.says(/Folio listens on \S+ \(embedded PostgreSQL in /);
  alone.signal('SIGTERM');
  const code = await alone.exited();
  const told_text = readFileSync(told, 'utf8');
  assert.equal(code, 0, told_text.slice(-2000));
  for (const source of ['command-line', 'open-service', 'service', 'surfaces'])
    assert.match(told_text, new RegExp(`/${source}\\.ts was accepted`), `the image has ${source} compiled`);
  const { uid } = statSync(join(image.root, 'data/postgres'));
  assert.deepEqual([uid, filesOf(join(image.root, 'app'))], [image.user.uid, before]);
});

/**
 * The image of the Dockerfile in a folder, where no container engine runs: the file's own steps, each path of the image
 * below the folder. Two steps are played: the base image is the Node that runs the tests, whose version is compared, and
 * `npm ci` is the tree that npm ci made here. All else is done as the file says. Needs root, as a build of an image does.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import dockerignore from '@balena/dockerignore';
import { type Copy, DockerfileParser, type Healthcheck, type JSONInstruction } from 'dockerfile-ast';
import { projectRoot } from './installation.ts';

export type Image = {
  /** Where the image's `/` is. */
  root: string;
  workdir: string;
  /** With paths as the file has them. */
  env: Record<string, string>;
  user: { uid: number; gid: number };
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
  /** A text with paths of the image, as they are on this machine. */
  here(text: string): string;
};

type Stage = { root: string; workdir: string; env: Record<string, string>; last: Map<string, string[]> };

const imagePaths = /(?<![\w./-])\/(?=(?:app|data|run\/secrets|usr\/local\/bin)\b)/g;

/** @param dir an empty folder that every user may enter */
export function buildImage(dir: string): Image {
  const stages: (Stage & { name: string })[] = [];
  const file = DockerfileParser.parse(readFileSync(join(projectRoot, 'Dockerfile'), 'utf8'));
  for (const instruction of file.getInstructions()) {
    const keyword = instruction.getKeyword();
    const words = instruction.getArguments().map((argument) => argument.getValue());
    if (keyword === 'FROM') {
      stages.push({ ...beginStage(join(dir, String(stages.length)), words[0] ?? ''), name: words[2] ?? '' });
      continue;
    }
    const stage = stages.at(-1)!;
    if (keyword === 'RUN') runStep(stage, instruction.getArgumentsContent() ?? '');
    else if (keyword === 'COPY') {
      const from = (instruction as Copy).getFromFlag()?.getValue() ?? undefined;
      const other = stages.find(({ name }) => name === from);
      assert.equal(from === undefined, other === undefined, `${from} is a stage`);
      copyInto(stage, words, other);
    } else if (keyword === 'ENV') {
      Object.assign(stage.env, Object.fromEntries(words.map((word) => word.split(/=(.*)/s).slice(0, 2))));
    } else if (keyword === 'WORKDIR') {
      stage.workdir = words[0] ?? '';
      mkdirSync(join(stage.root, stage.workdir), { recursive: true });
    } else stage.last.set(keyword, lastWords(keyword, instruction, words));
  }
  const { root, workdir, env, last } = stages.at(-1)!;
  const [uid, gid] = (last.get('USER')?.[0] ?? '').split(':').map(Number);
  assert.ok(uid && gid, 'the image does not run as root, and says so by number');
  return {
    root,
    workdir,
    env: { ...env, PATH: '/usr/local/bin:/usr/bin:/bin' },
    user: { uid, gid },
    entrypoint: last.get('ENTRYPOINT') ?? [],
    command: last.get('CMD') ?? [],
    healthcheck: last.get('HEALTHCHECK') ?? [],
    here: (text) => below(root, text),
  };
}

const below = (root: string, text: string) => text.replace(imagePaths, `${root}/`);

function lastWords(keyword: string, instruction: unknown, words: string[]): string[] {
  if (keyword === 'HEALTHCHECK')
    return JSON.parse(/\[.*\]/s.exec((instruction as Healthcheck).getArgumentsContent() ?? '')?.[0] ?? '[]');
  return keyword === 'CMD' || keyword === 'ENTRYPOINT'
    ? (instruction as JSONInstruction).getJSONStrings().map((word) => word.getJSONValue())
    : words;
}

function beginStage(root: string, base: string): Stage {
  assert.equal(base, `node:${process.versions.node}-trixie-slim`, 'the base image has the Node of the tests');
  const programs = join(root, 'usr/local/bin');
  mkdirSync(programs, { recursive: true });
  copyTree(process.execPath, join(programs, 'node'));
  return { root, workdir: '/', env: {}, last: new Map() };
}

function runStep({ root, workdir, env }: Stage, script: string): void {
  const cwd = join(root, workdir);
  if (/^npm ci\b/.test(script)) {
    takePackages(cwd);
    return;
  }
  const offline = { npm_config_offline: 'true', npm_config_ignore_scripts: 'true' };
  const path = `${join(root, 'usr/local/bin')}:${process.env.PATH}`;
  execFileSync('sh', ['-euc', below(root, script)], {
    cwd,
    env: { ...env, ...offline, PATH: path, HOME: process.env.HOME },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** What `npm ci` makes of this lockfile: what it made here, where each package is the locked one. */
function takePackages(cwd: string): void {
  const packagesOf = (file: string) =>
    JSON.parse(readFileSync(file, 'utf8')).packages as Record<string, { version?: string; link?: boolean }>;
  const locked = packagesOf(join(cwd, 'package-lock.json'));
  for (const [path, { version }] of Object.entries(
    packagesOf(join(projectRoot, 'node_modules/.package-lock.json')),
  ))
    assert.equal(version, locked[path]?.version, `${path} is as locked: run npm ci`);
  mkdirSync(join(cwd, 'node_modules'));
  const names = readdirSync(join(projectRoot, 'node_modules')).filter((name) => name !== '.cache');
  copyTrees(
    names.map((name) => join(projectRoot, 'node_modules', name)),
    join(cwd, 'node_modules'),
  );
}

function copyTree(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copy([from], to, statSync(from).dev === statSync(dirname(to)).dev);
}

/** By one program: to start one for each of hundreds takes longer than to copy them. @param to a folder */
function copyTrees(from: readonly string[], to: string): void {
  copy(
    from,
    `${to}/`,
    from.every((one) => lstatSync(one).dev === statSync(to).dev),
  );
}

/** Links where all are root's and on one disk: only root may write then, and changes no file in place. */
function copy(from: readonly string[], to: string, is_one_disk: boolean): void {
  const may_link = is_one_disk && from.every((one) => lstatSync(one).uid === 0);
  execFileSync('cp', ['-r', '--no-preserve=ownership', ...(may_link ? ['--link'] : []), '-P', ...from, to]);
}

function copyInto({ root, workdir }: Stage, words: string[], from: Stage | undefined): void {
  const target = words.at(-1) ?? '';
  const into = join(root, target.startsWith('/') ? target : join(workdir, target));
  for (const source of words.slice(0, -1)) {
    if (from) {
      const path = join(from.root, source);
      if (statSync(path).isDirectory()) copyTree(path, into);
      else copyTree(path, join(into, source.split('/').at(-1)!));
    } else copyContext(source, into, target.endsWith('/'));
  }
}

/** Of the context: what .dockerignore leaves. */
function copyContext(source: string, into: string, is_folder: boolean): void {
  const files = contextFiles().filter(
    (file) => source === '.' || file === source || file.startsWith(`${source}/`),
  );
  assert.ok(files.length > 0, `${source} is in the context`);
  for (const file of files) {
    const rest = source === '.' ? file : file.slice(source.length + 1) || (is_folder ? file : '');
    cpSync(join(projectRoot, file), join(into, rest));
  }
}

let context: string[] | undefined;

function contextFiles(): string[] {
  if (context !== undefined) return context;
  const rules = readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split('\n');
  assert.ok(rules.includes('*'), 'all is ignored but what is named');
  const named = rules.flatMap((rule) => (rule.startsWith('!') ? [rule.slice(1)] : []));
  const is_kept = dockerignore.default().add(rules).createFilter();
  context = named.flatMap((name) => filesIn(name)).filter((file) => is_kept(file));
  return context;
}

function filesIn(path: string): string[] {
  const at = join(projectRoot, path);
  if (!existsSync(at)) return [];
  if (!statSync(at).isDirectory()) return [path];
  return readdirSync(at, { withFileTypes: true }).flatMap((entry) =>
    entry.isSymbolicLink() ? [] : filesIn(`${path}/${entry.name}`),
  );
}

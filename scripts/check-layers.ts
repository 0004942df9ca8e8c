/**
 * Checks imports against ARCHITECTURE.md. They go down only. A module is entered by its index.ts, never in a
 * circle. domain/ and rules/ have no effects. packages/ know nothing of Folio. web/ knows types of src alone. Tests in
 * src may import anything.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Import, readImports, withoutComments } from './read-imports.ts';
import { lineOf, report, root, sourcesIn } from './source-files.ts';

/** What each layer may import besides itself. */
const below: Record<string, readonly string[]> = {
  main: ['surfaces', 'integrations', 'modules', 'platform', 'domain', 'kernel'],
  surfaces: ['modules', 'platform', 'domain', 'kernel'],
  integrations: ['modules', 'platform', 'domain', 'kernel'],
  modules: ['platform', 'domain', 'kernel'],
  platform: ['kernel'],
  domain: ['kernel'],
  kernel: [],
};

/** These list what all modules offer. They alone may reach into a module. */
const listings = ['catalog', 'families', 'jobs', 'event-list', 'sandbox-tables'].map(
  (name) => `modules/${name}.ts`,
);

/** The listings that surfaces read. */
const offered = ['modules/catalog.ts', 'modules/event-list.ts'];

/** What surfaces share knows no surface and no HTTP framework. */
const sharedBySurfaces = 'surfaces/shared/';
const httpPackages = ['fastify', 'undici', 'node:http', 'node:https'];

/** Pure code may use these: they take values and return values. */
const pureNode = ['node:assert', 'node:assert/strict', 'node:buffer', 'node:url', 'node:util'];
const pureCrypto = ['createHash', 'createHmac', 'timingSafeEqual'];
const purePackages = ['ibantools', 'ipaddr.js', 'postal-mime', 'typebox'];
const impure =
  /\bDate\.now\(|\bnew Date(?:\(\)|(?!\s*\())|\bperformance\.|\bMath\.random\(|\brandom(?:UUID|Bytes|Int)\(|\bprocess\.|\bfetch\(/;

/** Headers as they are named in code. The engine knows none (ADR 25). */
const header = /'(?:ETag|[A-Z][a-z]+(?:-[A-Z][a-z]+)+)'/;

type Edge = { from: string; to: string; at: Import };

/**
 * @param src the folder that holds main/, modules/ and so on
 * @returns one line per violation, sorted
 */
export function checkLayers(src: string): string[] {
  const files = sourcesIn(src).filter((file) => !file.endsWith('.test.ts'));
  const found: string[] = [];
  const edges: Edge[] = [];
  for (const file of files) {
    const text = readFileSync(join(src, file), 'utf8');
    const say = (line: number, what: string) => found.push(`src/${file}:${line} ${what}`);
    if (!(layerOf(file) in below)) say(1, `lies in no layer: ${Object.keys(below).join(', ')}`);
    for (const at of readImports(text)) {
      const to = at.from.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), at.from)) : null;
      const fault = to === null ? packageFault(file, at) : fileFault(file, to, at);
      if (fault) say(at.line, fault);
      if (to !== null) edges.push({ from: file, to, at });
    }
    const named = ['kernel', 'platform'].includes(layerOf(file)) ? header.exec(withoutComments(text)) : null;
    if (named) say(lineOf(text, named.index), `names the header ${named[0]}: surfaces alone do`);
    const effect = isPure(file) ? impure.exec(withoutComments(text)) : null;
    if (effect) say(lineOf(text, effect.index), `uses ${effect[0]} in pure code`);
  }
  return [...found, ...findCircles(edges)].sort();
}

/**
 * A package imports its own files, other packages and Node. So do its tests: the simulator judges what Folio
 * writes, so the two share no code.
 * @returns one line per violation, sorted
 */
export function checkPackages(packages: string): string[] {
  const found: string[] = [];
  for (const file of sourcesIn(packages)) {
    const own = `${file.split('/', 1)[0]}/`;
    for (const at of readImports(readFileSync(join(packages, file), 'utf8'))) {
      if (!at.from.startsWith('.')) continue;
      const to = posix.normalize(posix.join('packages', posix.dirname(file), at.from));
      if (!to.startsWith(`packages/${own}`))
        found.push(`packages/${file}:${at.line} imports ${to}, which is outside the package`);
    }
  }
  return found.sort();
}

/**
 * What runs in a browser takes nothing from the service but types. Nobody imports a page: no other page, and nothing
 * that pages are made of.
 * @returns one line per violation, sorted
 */
export function checkWeb(web: string): string[] {
  const found: string[] = [];
  for (const file of sourcesIn(web).filter((one) => one.startsWith('src/') && !one.endsWith('.test.ts'))) {
    for (const { from, is_type, line } of readImports(readFileSync(join(web, file), 'utf8'))) {
      const fault = webFault(file, from, is_type);
      if (fault) found.push(`web/${file}:${line} ${fault}`);
    }
  }
  return found.sort();
}

function webFault(file: string, from: string, is_type: boolean): string | undefined {
  if (from.startsWith('node:')) return `imports ${from}, which no browser has`;
  if (!from.startsWith('.')) return undefined;
  const to = posix.normalize(posix.join('web', posix.dirname(file), from));
  if (to.startsWith('src/')) return is_type ? undefined : `imports ${to}, of which it may have types alone`;
  if (!to.startsWith('web/src/')) return `imports ${to}, which is outside web/src`;
  const [own, page] = [`web/${file}`, to].map((path) => /^web\/src\/pages\/([^/]+)\//.exec(path)?.[1]);
  return page === undefined || page === own ? undefined : `imports ${to}, which is a page of its own`;
}

function layerOf(file: string): string {
  return file.split('/', 1)[0] ?? '';
}

/** Undefined for the listings and all outside modules/. */
function moduleOf(file: string): string | undefined {
  const [layer, name, ...rest] = file.split('/');
  return layer === 'modules' && rest.length > 0 ? name : undefined;
}

function isRule(file: string): boolean {
  return moduleOf(file) !== undefined && file.split('/').includes('rules');
}

function isPure(file: string): boolean {
  return layerOf(file) === 'domain' || isRule(file);
}

function packageFault(file: string, { from, names, is_type }: Import): string | undefined {
  if (file.startsWith(sharedBySurfaces) && httpPackages.includes(from))
    return `imports ${from}: what surfaces share knows no HTTP`;
  if (!isPure(file) || is_type || pureNode.includes(from) || purePackages.includes(from)) return undefined;
  if (from === 'node:crypto' && names.length > 0 && names.every((name) => pureCrypto.includes(name)))
    return undefined;
  return `imports ${from} in pure code`;
}

function fileFault(file: string, to: string, { is_type }: Import): string | undefined {
  const [here, there] = [layerOf(file), layerOf(to)];
  if (to.startsWith('..')) return `imports ${to}, which is outside src`;
  if (to.endsWith('.test.ts')) return `imports the test src/${to}`;
  if (there === 'platform' && isPure(file)) return is_type ? undefined : `imports src/${to} in pure code`;
  if (here !== there && !below[here]?.includes(there))
    return `imports src/${to}: ${here} is not above ${there}`;
  if (file.startsWith(sharedBySurfaces) && there === 'surfaces' && !to.startsWith(sharedBySurfaces))
    return `imports src/${to}: what surfaces share knows none of them`;
  if (there !== 'modules') return undefined;
  const [own, other] = [moduleOf(file), moduleOf(to)];
  if (
    isRule(file) &&
    own === other &&
    !is_type &&
    /\.(store|jobs)\.ts$|\/operations\/|\/index\.ts$/.test(to)
  ) {
    return `imports src/${to}: rules decide and fetch nothing`;
  }
  if (own !== undefined && own === other) return undefined;
  return moduleFault(file, to);
}

function moduleFault(file: string, to: string): string | undefined {
  const here = layerOf(file);
  const is_index = /^modules\/[^/]+\/index\.ts$/.test(to);
  if (here === 'surfaces')
    return offered.includes(to)
      ? undefined
      : `imports src/${to}: surfaces read ${offered.join(' and ')} alone`;
  if (listings.includes(file)) {
    return is_index || listings.includes(to) || /\/operations\/|\.(jobs|events)\.ts$/.test(to)
      ? undefined
      : `imports src/${to}: it lists operations, jobs and events alone`;
  }
  if (listings.includes(to))
    return here === 'main' ? undefined : `imports src/${to}, which lists every module`;
  if (is_index || (here === 'integrations' && to.endsWith('/ports.ts'))) return undefined;
  return `imports src/${to} past the module's index.ts`;
}

/** Each circle is told once, from its alphabetically first module. */
function findCircles(edges: readonly Edge[]): string[] {
  const reached = new Map<string, Map<string, Edge>>();
  for (const edge of edges) {
    const [from, to] = [moduleOf(edge.from), moduleOf(edge.to)];
    if (from === undefined || to === undefined || from === to) continue;
    const targets = reached.get(from) ?? new Map<string, Edge>();
    if (!targets.has(to)) targets.set(to, edge);
    reached.set(from, targets);
  }
  const told = new Set<string>();
  for (const start of [...reached.keys()].sort()) {
    const path = shortestWayBack(start, reached);
    const first = path && reached.get(start)?.get(path[1] ?? '');
    if (!path || !first || path.some((name) => name < start)) continue;
    told.add(`src/${first.from}:${first.at.line} closes a circle: ${path.join(' -> ')}`);
  }
  return [...told];
}

function shortestWayBack(start: string, reached: Map<string, Map<string, Edge>>): string[] | undefined {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of reached.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

if (import.meta.main) {
  report([
    ...checkLayers(join(root, 'src')),
    ...checkPackages(join(root, 'packages')),
    ...checkWeb(join(root, 'web')),
  ]);
}

/**
 * Part (u): `folio backup` against a copy without it, and what a caller of the API feels meanwhile. The floor is `pg_dump` where
 * PATH has one that is as new as the server, and else a bare COPY of every table.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeInvoice } from './begun.ts';
import { loadDocuments } from './bulk-load.ts';
import { bareCopy, runFolio, runHere, startFolio } from './children.ts';
import { listedInvoices } from './listed-kinds.ts';
import { type LoadGenerator, type LoadRequest, makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeFolder, openPlace, type Place, removeFolder } from './place.ts';
import { type Figure, interleave, quantile, ratioOf, spreadOf } from './statistics.ts';

const part = '(u) backup';
/** A caller who waits between calls: what it feels is not its own load. */
const pauseMs = 10;
const quietMs = 5000;

/** Writes into a folder. */
type Copy = (folder: string) => Promise<void>;

export async function measureBackup(options: BenchOptions): Promise<Figure[]> {
  const data_dir = makeFolder();
  const folders = mkdtempSync(join(tmpdir(), 'folio-bench-copies-'));
  try {
    const place = await openPlace(data_dir);
    try {
      return await measure(place, folders, options);
    } finally {
      await place.close();
    }
  } finally {
    rmSync(folders, { recursive: true, force: true });
    removeFolder(data_dir);
  }
}

async function measure(place: Place, folders: string, options: BenchOptions): Promise<Figure[]> {
  const count = options.is_quick ? 20_000 : 100_000;
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, 1);
  try {
    const reader = await place.makeCompany();
    const { id } = await makeInvoice(load, reader);
    await loadDocuments(place.owner, await place.makeCompany(), listedInvoices, count);
    const request: LoadRequest = {
      method: 'GET',
      path: `/v1/invoices/${id}`,
      headers: { authorization: `Bearer ${reader.key}` },
    };
    const what = `${count.toLocaleString('en')} invoices`;
    const backup: Copy = async (folder) => {
      await runFolio(place.data_dir, ['backup', folder]);
      if (!readdirSync(folder).includes('manifest.json'))
        throw new WrongResult('The backup has no manifest.');
    };
    return [
      ...(await compare(what, backup, { place, folders, options })),
      ...(await beside(what, backup, { load, request, folders, options })),
    ];
  } finally {
    await load.close();
    await folio.stop();
  }
}

type Timed = { seconds: number; megabytes: number };

async function timeCopy(folders: string, copy: Copy): Promise<Timed> {
  const folder = mkdtempSync(join(folders, 'copy-'));
  const started = performance.now();
  await copy(folder);
  const seconds = (performance.now() - started) / 1000;
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(folder, name)).size,
  );
  rmSync(folder, { recursive: true });
  return { seconds, megabytes: sizes.reduce((sum, size) => sum + size, 0) / 1e6 };
}

type Compared = { place: Place; folders: string; options: BenchOptions };

async function compare(what: string, backup: Copy, { place, folders, options }: Compared): Promise<Figure[]> {
  const floors = floorsOf(place);
  const subjects = Object.entries({ backup, ...floors }).map(
    ([name, copy]) => [name, () => timeCopy(folders, copy)] as const,
  );
  const timed: Record<string, Timed[]> = await interleave(options.rounds, Object.fromEntries(subjects));
  const seconds = (name: string) => timed[name]!.map((one) => one.seconds);
  const names = {
    backup: 'folio backup',
    ...Object.fromEntries(Object.keys(floors).map((name) => [name, name])),
  };
  return [
    ...Object.entries(names).flatMap(([name, words]): Figure[] => [
      { part, what: `${what}: ${words}`, unit: 's', spread: spreadOf(seconds(name)) },
      {
        part,
        what: `${what}: written by ${words}`,
        unit: 'MB',
        spread: spreadOf(timed[name]!.map((one) => one.megabytes)),
      },
    ]),
    ...Object.keys(floors).map(
      (name): Figure => ({
        part,
        what: `${what}: folio backup / ${name}`,
        unit: 'ratio',
        spread: ratioOf(seconds('backup'), seconds(name)),
        aim: { at_most: 1.5 },
      }),
    ),
  ];
}

function floorsOf(place: Place): Record<string, Copy> {
  const env = { BENCH_TARGET: JSON.stringify(place.owner_target) };
  if (!canDump(place)) return { 'bare COPY': (folder) => runHere([bareCopy, folder], env) };
  const dump = (format: 'custom' | 'plain') => async (folder: string) => {
    const { host, port, user, database } = place.owner_target;
    const where = ['--host', host, '--port', String(port), '--username', user, '--dbname', database];
    execFileSync('pg_dump', ['--format', format, '--file', join(folder, 'dump'), ...where]);
  };
  return { 'pg_dump, custom format': dump('custom'), 'pg_dump, plain': dump('plain') };
}

/** A `pg_dump` that is older than the server refuses it. */
function canDump({ server_version }: Place): boolean {
  try {
    const told = execFileSync('pg_dump', ['--version'], { encoding: 'utf8' });
    return Number(/(\d+)\./.exec(told)?.[1]) >= Number.parseInt(server_version, 10);
  } catch {
    return false;
  }
}

type Beside = { load: LoadGenerator; request: LoadRequest; folders: string; options: BenchOptions };

/** The 99th percentile of a caller alone, and of the same caller during a backup. */
async function beside(
  what: string,
  backup: Copy,
  { load, request, folders, options }: Beside,
): Promise<Figure[]> {
  const p99 = async (isOver: () => boolean) => {
    const ms: number[] = [];
    while (!isOver()) {
      const make = () => request;
      ms.push(...(await load.run({ concurrency: 1, requests: 1, status: 200, make })).ms);
      await wait(pauseMs);
    }
    return quantile(ms, 0.99);
  };
  const timed = await interleave(options.rounds, {
    alone: () => {
      const until = performance.now() + quietMs;
      return p99(() => performance.now() > until);
    },
    meanwhile: async () => {
      let is_over = false;
      const copying = timeCopy(folders, backup).finally(() => {
        is_over = true;
      });
      const [figure] = await Promise.all([p99(() => is_over), copying]);
      return figure;
    },
  });
  const { alone, meanwhile } = timed;
  return [
    { part, what: `${what}: p99 of a GET, alone`, unit: 'ms', spread: spreadOf(alone) },
    { part, what: `${what}: p99 of a GET, during a backup`, unit: 'ms', spread: spreadOf(meanwhile) },
    {
      part,
      what: `${what}: p99 of a GET, during a backup / alone`,
      unit: 'ratio',
      spread: ratioOf(meanwhile, alone),
      aim: { at_most: 2 },
    },
  ];
}

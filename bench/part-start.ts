/** Part (d): time to readiness, and idle memory, against a bare server with the same driver. */
import { setTimeout as wait } from 'node:timers/promises';
import { bareStart, type Child, runFolio, startBare, startFolio } from './children.ts';
import { makeFolder, openPlace, removeFolder } from './place.ts';
import type { BenchOptions } from './options.ts';
import { type Figure, interleave, type Spread, spreadOf } from './statistics.ts';

const part = '(d) start and idle memory';
const commands = { 'folio company list': ['company', 'list', '--json'], 'folio --version': ['--version'] };
const idleMs = 1000;

/** Seconds to the first 200 of /readyz. Adds the idle memory to `memory`. */
async function timeStart(start: () => Promise<Child>, memory?: number[]): Promise<number> {
  const started = performance.now();
  const child = await start();
  const seconds = (performance.now() - started) / 1000;
  if (memory) {
    await wait(idleMs);
    const megabytes = child.resident();
    if (megabytes !== null) memory.push(megabytes);
  }
  await child.stop();
  return seconds;
}

export async function measureStart(options: BenchOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  const data_dir = makeFolder();
  try {
    const place = await openPlace(data_dir);
    const folio = () => startFolio(data_dir);
    const bare = () => startBare(bareStart, place.target);
    try {
      const memory: Record<'folio' | 'bare', number[]> = { folio: [], bare: [] };
      const warm = await interleave(options.rounds, {
        folio: () => timeStart(folio, memory.folio),
        bare: () => timeStart(bare, memory.bare),
      });
      figures.push(...compareStarts('PostgreSQL running', warm.folio, warm.bare));
      if (memory.folio.length > 0) {
        figures.push(
          { part, what: 'idle memory: Folio', unit: 'MB', spread: spreadOf(memory.folio) },
          { part, what: 'idle memory: bare server', unit: 'MB', spread: spreadOf(memory.bare) },
        );
      }
      figures.push(...(await measureCommands(data_dir, options)));
    } finally {
      await place.close();
    }
    const cold = await interleave(options.rounds, {
      folio: () => timeStart(() => startFolio(data_dir)),
      // Starts the same database first.
      bare: async () => {
        const started = performance.now();
        const place = await openPlace(data_dir);
        const opened = (performance.now() - started) / 1000;
        try {
          return opened + (await timeStart(() => startBare(bareStart, place.target)));
        } finally {
          await place.close();
        }
      },
    });
    figures.push(...compareStarts('PostgreSQL stopped', cold.folio, cold.bare));
  } finally {
    removeFolder(data_dir);
  }
  return figures;
}

/** From spawn to end, while the service runs. */
async function measureCommands(data_dir: string, options: BenchOptions): Promise<Figure[]> {
  const service = await startFolio(data_dir);
  try {
    const figures: Figure[] = [];
    for (const [what, words] of Object.entries(commands)) {
      const { taken } = await interleave(options.rounds, {
        async taken() {
          const started = performance.now();
          await runFolio(data_dir, words);
          return performance.now() - started;
        },
      });
      figures.push({ part, what, unit: 'ms', spread: spreadOf(taken), aim: { at_most: 500 } });
    }
    return figures;
  } finally {
    await service.stop();
  }
}

/** The bound is twice bare plus half a second. The figure is the portion of it and should not exceed 1. */
function compareStarts(where: string, folio: readonly number[], bare: readonly number[]): Figure[] {
  const allowed: Spread = spreadOf(folio.map((seconds, round) => seconds / (2 * bare[round]! + 0.5)));
  return [
    { part, what: `${where}: Folio`, unit: 's', spread: spreadOf(folio) },
    { part, what: `${where}: bare server`, unit: 's', spread: spreadOf(bare) },
    {
      part,
      what: `${where}: Folio / (2 x bare + 0.5 s)`,
      unit: 'ratio',
      spread: allowed,
      aim: { at_most: 1 },
    },
  ];
}

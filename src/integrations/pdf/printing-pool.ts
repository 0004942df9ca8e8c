/** The processes that print. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compiledModules } from '../processes/compiled-modules.ts';
import { makePool, type Pool, type PoolLimits } from '../processes/process-pool.ts';
import type { PrintRequest } from './print-process.ts';
import type { EngineName } from './typesetter.ts';

/** A document with more lines is long: it takes several times as long as a usual one. */
const shortLines = 40;

export type Printed = { pdf: Uint8Array; logo_fault: string | null };

const script = fileURLToPath(new URL('./print-process.ts', import.meta.url));
const no_system_fonts = fileURLToPath(new URL('./no-system-fonts.conf', import.meta.url));

export function startPrinting(engine: EngineName, templates: string): ChildProcess {
  return fork(script, [engine, templates], {
    execArgv: [],
    // Without the service's secrets, and without the machine's fonts, packages and network.
    env: {
      FONTCONFIG_FILE: no_system_fonts,
      HOME: '/dev/null',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      ...compiledModules(),
    },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** A document whose process ended gets one more try; a late one only with a logo, which can be left out afterwards. */
export function printingPool(start: () => ChildProcess, limits: PoolLimits): Pool<PrintRequest, Printed> {
  return makePool(
    {
      start,
      verb: 'print',
      done: 'printed',
      isLong: ({ document }) => document.lines.length > shortLines,
      triesAgain: ({ document }, why) => why === 'fallen' || document.logo !== null,
    },
    limits,
  );
}

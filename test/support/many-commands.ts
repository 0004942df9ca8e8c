/** Runs many commands in one process, because a start takes long. Arguments and results are JSON. A whole run has it as a bundle. */
import { runProgram } from '../../src/main/command-line.ts';

const runs = JSON.parse(process.argv[2] ?? '[]') as string[][];
const write = process.stdout.write.bind(process.stdout);
const results: { code: number; stdout: string; stderr: string }[] = [];

for (const args of runs) {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (text: string | Uint8Array) => {
      said[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      return true;
    };
  process.argv = [process.execPath, 'folio', ...args];
  process.exitCode = undefined;
  const listeners = process.stdout.listeners('error');
  await runProgram();
  for (const listener of process.stdout.listeners('error'))
    if (!listeners.includes(listener)) process.stdout.off('error', listener as () => void);
  results.push({ code: Number(process.exitCode ?? 0), ...said });
}
process.exitCode = 0;
write(JSON.stringify(results));

/** Runs many commands in one process, because a start takes long. Arguments and results are JSON. A whole run has it as a bundle. */
import { runProgram } from '../../src/main/command-line.ts';

const runs = JSON.parse(process.argv[2] ?? '[]') as string[][];
const write = process.stdout.write.bind(process.stdout);
const streams = ['stdout', 'stderr'] as const;
const results: { code: number; stdout: string; stderr: string }[] = [];

for (const args of runs) {
  const said = { stdout: '', stderr: '' };
  for (const name of streams)
    process[name].write = (text: string | Uint8Array) => {
      said[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      return true;
    };
  process.argv = [process.execPath, 'folio', ...args];
  process.exitCode = undefined;
  const before = streams.map((name) => process[name].listeners('error'));
  await runProgram();
  for (const [i, name] of streams.entries())
    for (const listener of process[name].listeners('error'))
      if (!before[i]!.includes(listener)) process[name].off('error', listener as () => void);
  results.push({ code: Number(process.exitCode ?? 0), ...said });
}
process.exitCode = 0;
write(JSON.stringify(results));

import { parseArgs } from 'node:util';

export type BenchOptions = {
  rounds: number;
  /** Portion of the usual requests. */
  scale: number;
  is_quick: boolean;
  profile_dir?: string;
  say(line: string): void;
};

/** An unknown option or part ends the run with code 2 and a list of the known ones; `--help` with code 0. */
export function readBenchOptions(parts: readonly string[], args = process.argv.slice(2)) {
  const usage = `Options: --quick (fewer requests), --only=${parts.join(',')} (some parts) and --profile=FOLDER (processor profiles).`;
  const end = (out: NodeJS.WriteStream, text: string, code: number): never => {
    out.write(`${text}\n`);
    process.exit(code);
  };
  if (args.includes('--help')) end(process.stdout, usage, 0);
  try {
    const { values } = parseArgs({
      args,
      options: { quick: { type: 'boolean' }, only: { type: 'string' }, profile: { type: 'string' } },
    });
    const unknown = values.only?.split(',').find((name) => !parts.includes(name));
    if (unknown === undefined) return values;
    return end(process.stderr, `bench: there is no part "${unknown}". ${usage}`, 2);
  } catch (error) {
    const [what] = (error as Error).message.split('. ');
    return end(process.stderr, `bench: ${what}. ${usage}`, 2);
  }
}

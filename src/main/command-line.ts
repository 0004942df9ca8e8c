import { readFileSync } from 'node:fs';
import { CommandError, UsageError } from './command-error.ts';
import { runCommandLine } from './command-parser.ts';
import { commands } from './commands.ts';
import { loadSettingsFile, misnamedDatabase } from './environment.ts';
import { complain } from './terminal.ts';
import { toTheEnd } from './to-the-end.ts';

const manifest = new URL('../../package.json', import.meta.url);

/** Does what the process's arguments say. What fails is told, and its code becomes the process's. */
export async function runProgram(): Promise<void> {
  tellOfLostOutput();
  try {
    loadSettingsFile(process.env);
    const { readCommandVariable, readConfig } = await import('./config.ts');
    await toTheEnd(() =>
      runCommandLine(process.argv.slice(2), {
        commands,
        version: (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version,
        say: (text) => process.stdout.write(text),
        config: () => {
          const config = readConfig(process.env);
          tellOfMisnamed(process.env);
          return config;
        },
        variable: (name) => readCommandVariable(process.env, name),
      }),
    );
  } catch (error) {
    complain(`folio: ${await describe(error)}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** No refusal: the name may be of another program, which somebody else starts here. */
function tellOfMisnamed(env: NodeJS.ProcessEnv): void {
  const name = misnamedDatabase(env);
  if (name !== undefined)
    complain(
      `folio: ${name} is no setting of Folio, so the embedded PostgreSQL is used. ` +
        'The address of another one belongs into DATABASE_URL.',
    );
}

/**
 * A reader of our output may leave, as `head` does: the command goes on. A disk that takes no more is told, once. Where the
 * complaint itself cannot be written, nobody is left to tell.
 */
function tellOfLostOutput(): void {
  let is_whole = true;
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || !is_whole) return;
    is_whole = false;
    complain(`folio: what was printed is not whole (${message}).`);
    process.exitCode ||= 1;
  });
}

/** One sentence, or the stack of a fault of ours. */
async function describe(error: unknown): Promise<string> {
  if (error instanceof CommandError) return error.message;
  const { explain } = await import('./explain.ts');
  return explain(error) ?? String(error instanceof Error ? error.stack : error);
}

/** The command line: `folio serve`, and the commands by which an operator makes companies and keys. */
import { ConfigError, readConfig } from './config.ts';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/embedded-postgres-error.ts';
import { CommandError, commands, helpText } from './commands.ts';

/** Failures whose message is meant for the person at the terminal: one sentence, no stack. */
function isForPeople(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof CommandError || error instanceof EmbeddedPostgresError;
}

function explain(error: unknown): string | undefined {
  if (isForPeople(error)) return error.message;
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE') return `Port ${port} on ${address} is taken by another program: stop it, or set PORT to another one.`;
  if (code === 'EACCES' && port !== undefined) return `Port ${port} may not be used by this user: set PORT to one above 1023.`;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return `The database does not answer (${(error as Error).message}): check DATABASE_URL.`;
  if (code === '28P01' || code === '28000') return 'The database refuses the user or password in DATABASE_URL.';
  if (code === '3D000') return 'The database named in DATABASE_URL does not exist.';
  return undefined;
}

const args = process.argv.slice(2);
try {
  if (args.length === 0 || args.includes('--help') || args.includes('-h') || args[0] === 'help') {
    process.stdout.write(`${helpText}\n`);
  } else {
    const command = commands.find((c) => c.words.every((word, i) => args[i] === word));
    if (!command) throw new CommandError(`There is no command "${args.join(' ')}". "folio --help" lists them.`);
    await command.run(args.slice(command.words.length), () => readConfig(process.env));
  }
} catch (error) {
  const message = explain(error);
  process.stderr.write(`folio: ${message ?? (error instanceof Error ? error.stack : String(error))}\n`);
  process.exitCode = 1;
}

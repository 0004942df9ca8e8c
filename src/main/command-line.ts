import { commands, helpText } from './commands.ts';
import { readConfig } from './config.ts';
import { CommandError, explain } from './explain.ts';
import { complain } from './terminal.ts';

const args = process.argv.slice(2);
// A reader of our output may leave, as `head` does. The command goes on.
process.stdout.on('error', () => undefined);
try {
  if (args.length === 0 || args.includes('--help') || args.includes('-h') || args[0] === 'help') {
    process.stdout.write(`${helpText}\n`);
  } else {
    const command = commands.find((c) => c.words.every((word, i) => args[i] === word));
    if (!command)
      throw new CommandError(`There is no command "${args.join(' ')}". "folio --help" lists them.`);
    await command.run(args.slice(command.words.length), () => readConfig(process.env));
  }
} catch (error) {
  complain(`folio: ${explain(error) ?? (error instanceof Error ? error.stack : String(error))}`);
  process.exitCode = 1;
}

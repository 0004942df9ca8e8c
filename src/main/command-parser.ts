/** The command line: words find a command, its options are read and checked before anything is started. */
import { Command as Parser, CommanderError, Option as ParserOption } from 'commander';
import type { Command, Given, Option } from './command.ts';
import { UsageError } from './command-error.ts';
import type { Config } from './config.ts';

type Surroundings = {
  commands: readonly Command[];
  version: string;
  say(text: string): void;
  config(): Config;
  /** What the environment says instead of an option. */
  variable(name: NonNullable<Option['variable']>): string | undefined;
};

/**
 * Runs what the arguments say, or prints the help or version that they ask for.
 * @throws UsageError for unknown words and options
 */
export async function runCommandLine(args: readonly string[], around: Surroundings): Promise<void> {
  const program = makeParser(['folio'], around);
  program.helpInformation = () => overview(around.commands);
  program.helpCommand('help [command]', 'shows how a command is used');
  program.version(`folio ${around.version}`, '-V, --version', 'says which version this is');
  for (const command of around.commands) addCommand(program, command, around);
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UsageError(sentenceOf(error, args, around.commands));
  }
}

function makeParser(words: readonly string[], { say }: Pick<Surroundings, 'say'>): Parser {
  const parser = new Parser(words.at(-1));
  parser.exitOverride();
  parser.configureOutput({ writeOut: say, writeErr: () => undefined });
  parser.helpOption('-h, --help', 'shows this');
  parser.configureHelp({ helpWidth: 100 });
  return parser;
}

/** Adds it below the parsers of its words, and makes those that are missing. */
function addCommand(program: Parser, command: Command, around: Surroundings): void {
  let above = program;
  for (const [i, word] of command.words.slice(0, -1).entries()) {
    const known = above.commands.find((parser) => parser.name() === word);
    const group = known ?? makeParser(command.words.slice(0, i + 1), around);
    if (!known) above.addCommand(group);
    above = group;
  }
  const parser = makeParser(command.words, around);
  parser.description(command.help);
  parser.usage(usageOf(command));
  if (command.rest) {
    parser.argument('[rest...]', command.rest.help);
    if (command.rest.takes_options) parser.allowUnknownOption();
    parser.configureHelp({ helpWidth: 100, visibleArguments: () => [] });
  } else parser.allowExcessArguments(false);
  for (const [name, option] of Object.entries(command.options)) parser.addOption(parserOption(name, option));
  if (command.has_json) parser.option('--json', 'answers one line of JSON');
  if (command.examples.length > 0)
    parser.addHelpText('after', `\nFor example:\n${command.examples.map((line) => `  ${line}\n`).join('')}`);
  parser.action(async () => {
    const said = parser.opts<Record<string, string | string[] | boolean | undefined>>();
    const given: Given = { rest: parser.args, config: around.config, as_json: said.json === true };
    if (given.rest.length > (command.rest?.count_max ?? 0) && !command.rest?.takes_options)
      throw new UsageError(`Too many arguments: ${given.rest.join(' ')}.`);
    await command.run(readValues(command, said, around), given);
  });
  above.addCommand(parser);
}

function parserOption(name: string, option: Option): ParserOption {
  const { placeholder, choices, fallback, variable, repeats } = option;
  const made = new ParserOption(
    placeholder === null ? `--${name}` : `--${name} <${placeholder}>`,
    [option.help, choices && `One of: ${choices.join(', ')}.`, variable && `Default: ${variable}.`]
      .filter((part) => part !== null)
      .join(' '),
  );
  if (repeats) made.argParser((text, before: string[] | undefined) => [...(before ?? []), text]);
  else if (placeholder !== null) made.argParser(onceOf(name));
  return fallback === null ? made : made.default(fallback);
}

/** The last of two would be taken, and who names two keys to revoke would hear that it is done. */
function onceOf(name: string): (text: string) => string {
  let said: string | undefined;
  return (text) => {
    if (said !== undefined && said !== text)
      throw new UsageError(`--${name} takes one value, and two are given.`);
    said = text;
    return text;
  };
}

/** Names all missing options together, before any is read. */
function readValues(
  { options }: Command,
  said: Record<string, string | string[] | boolean | undefined>,
  { variable }: Surroundings,
): Record<string, unknown> {
  const texts = Object.entries(options).map(([name, option]) => {
    const text = said[new ParserOption(`--${name}`).attributeName()];
    const instead = option.variable && text === undefined ? variable(option.variable) : undefined;
    const place = instead === undefined ? `--${name}` : option.variable;
    return [name, option, text ?? instead, place] as const;
  });
  const missing = texts.filter(([, option, text]) => option.is_needed && text === undefined);
  if (missing.length > 0) {
    const named = missing.map(([name, { variable: other }]) => `--${name}${other ? ` (or ${other})` : ''}`);
    throw new UsageError(`Missing ${named.join(', ')}.`);
  }
  const values: Record<string, unknown> = {};
  for (const [name, { read }, text, place] of texts) {
    try {
      values[name] = read ? read([text ?? []].flat() as string[]) : text === true;
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`${place} ${error.message}`) : error;
    }
  }
  return values;
}

/** What stands after the words in a line of help. */
export function usageOf({ options, rest, has_json }: Command): string {
  const written = Object.entries(options).map(([name, option]) => {
    const text = option.placeholder === null ? `--${name}` : `--${name} ${option.placeholder}`;
    return option.is_needed && option.variable === null ? text : `[${text}]${option.repeats ? '...' : ''}`;
  });
  return [...(rest ? [rest.usage] : []), ...written, ...(has_json ? ['[--json]'] : [])].join(' ');
}

function overview(commands: readonly Command[]): string {
  return [
    'folio: invoicing service for companies in Spain.',
    '',
    ...commands.flatMap((command) => [
      `  folio ${[command.words.join(' '), usageOf(command)].join(' ').trim()}`,
      `      ${command.help}`,
    ]),
    '',
    '"folio COMMAND --help" tells of its options, "folio --version" which version this is.',
    'Settings are read from the environment and .env; docs/configuration.md lists them.',
    '',
  ].join('\n');
}

/** The parser's complaint as one sentence, with what was meant and where help is. */
function sentenceOf(error: CommanderError, args: readonly string[], commands: readonly Command[]): string {
  const words = args.filter((_, i) => args.slice(0, i + 1).every((w) => !w.startsWith('-')));
  const within = longestStart(words, commands);
  const help = `"${['folio', ...within, '--help'].join(' ')}" tells more.`;
  const [first = '', hint = ''] = error.message.replace(/^error: /, '').split('\n');
  if (error.code === 'commander.unknownCommand' || error.code === 'commander.help') {
    const next = nextWords(words, commands);
    if (next.length > 0) {
      const either = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(next);
      return `"${['folio', ...words].join(' ')}" goes on with ${either}. ${help}`;
    }
    const meant = /Did you mean (.*)\?/.exec(hint)?.[1];
    const there = `There is no command "${words.join(' ')}".`;
    return [there, meant && `Did you mean ${meant}?`, help].filter((part) => part).join(' ');
  }
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, '.');
  return [sentence, hint.replace(/^\(|\)$/g, ''), help].filter((part) => part !== '').join(' ');
}

/** What may stand after words that begin a command and are none. */
function nextWords(words: readonly string[], commands: readonly Command[]): string[] {
  const longer = commands.filter((command) => words.every((word, i) => command.words[i] === word));
  return [...new Set(longer.map((command) => command.words[words.length] ?? ''))];
}

/** The first words that a command begins with. */
function longestStart(words: readonly string[], commands: readonly Command[]): readonly string[] {
  for (let count = words.length; count > 0; count--) {
    const start = words.slice(0, count);
    if (commands.some((command) => start.every((word, i) => command.words[i] === word))) return start;
  }
  return [];
}

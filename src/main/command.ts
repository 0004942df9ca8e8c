/** A command with its typed options, as data. command-parser.ts puts them before the parser. */
import type { Config } from './config.ts';
import { UsageError } from './command-error.ts';

/** Calls `refuse` for a text that does not fit. */
export type Reader<T> = (text: string) => T;

export type Option<T = unknown> = {
  /** What stands for its value in the help; null for a switch. */
  placeholder: string | null;
  help: string;
  choices: readonly string[] | null;
  /** As text. */
  fallback: string | null;
  is_needed: boolean;
  repeats: boolean;
  /** The environment variable that is taken without the option. */
  variable: 'FOLIO_API_KEY' | 'FOLIO_URL' | null;
  /** Null for a switch. Gets all values of one that repeats. */
  read: ((texts: readonly string[]) => T) | null;
};

export type Options = Readonly<Record<string, Option>>;

/** Of the options, by their names. */
export type Values<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

export type Given = {
  /** What stands after the words; empty unless the command takes some. */
  rest: readonly string[];
  /** @throws ConfigError */
  config: () => Config;
  as_json: boolean;
};

/** What stands after the words of a command, besides its options. */
export type Rest = {
  /** As in the help, `[EVENT]`. */
  usage: string;
  help: string;
  count_max: number;
  /** Whether options that the command does not know are part of it. */
  takes_options?: boolean;
};

export type Command = {
  words: readonly string[];
  help: string;
  /** Lines that may be copied. */
  examples: readonly string[];
  rest: Rest | null;
  options: Options;
  /** Whether `--json` makes its answer one line of JSON. */
  has_json: boolean;
  run(values: Readonly<Record<string, unknown>>, given: Given): Promise<void>;
};

type Definition<O extends Options> = {
  words: readonly string[];
  help: string;
  examples?: readonly string[];
  rest?: Rest;
  options?: O;
  has_json?: boolean;
  run(values: Values<O>, given: Given): Promise<void>;
};

export function defineCommand<const O extends Options = Record<never, never>>(
  definition: Definition<O>,
): Command {
  return { examples: [], rest: null, options: {}, has_json: true, ...definition } as Command;
}

/** @throws UsageError, to which the name of the option is added */
export function refuse(message: string): never {
  throw new UsageError(message);
}

const plain = { choices: null, fallback: null, is_needed: false, repeats: false, variable: null };
const asText: Reader<string> = (text) => text;

export function flag(help: string): Option<boolean> {
  return { ...plain, placeholder: null, help, read: null };
}

export function needed(placeholder: string, help: string): Option<string>;
export function needed<T>(placeholder: string, help: string, read: Reader<T>): Option<T>;
export function needed(placeholder: string, help: string, read: Reader<unknown> = asText): Option {
  return { ...plain, placeholder, help, is_needed: true, read: ([text]) => read(text!) };
}

export function optional(placeholder: string, help: string): Option<string | undefined>;
export function optional<T>(placeholder: string, help: string, read: Reader<T>): Option<T | undefined>;
export function optional(placeholder: string, help: string, read: Reader<unknown> = asText): Option {
  return {
    ...plain,
    placeholder,
    help,
    read: ([text]) => (text === undefined ? undefined : read(text)),
  };
}

/** Any number of them. */
export function repeated(placeholder: string, help: string): Option<readonly string[]> {
  return { ...plain, placeholder, help, repeats: true, read: (texts) => texts };
}

/** One of a list; needed without a fallback. */
export function oneOf<const V extends string>(
  placeholder: string,
  values: readonly V[],
  help: string,
  fallback?: V,
): Option<V> {
  const read: Reader<V> = (text) =>
    values.find((value) => value === text) ?? refuse(`must be one of ${values.join(', ')}.`);
  const choices = { placeholder, help, choices: values, read: ([text]: readonly string[]) => read(text!) };
  return { ...plain, ...choices, fallback: fallback ?? null, is_needed: fallback === undefined };
}

/** Needed on the command line or in the environment. */
export function fromEnvironment<T>(option: Option<T>, variable: NonNullable<Option['variable']>): Option<T> {
  return { ...option, variable };
}

import { isLongerThan } from '../kernel/text-length.ts';
import { type Command, defineCommand, flag, needed, oneOf, optional, refuse, repeated } from './command.ts';
import { apiVersion, readId } from './option-readers.ts';

const company = needed('COMPANY_ID', 'Id of the live company.', readId);

function readName(text: string): string {
  const name = text.trim();
  return name === '' || isLongerThan(name, 120) ? refuse('must have 1 to 120 characters.') : name;
}

export const keyCommands: readonly Command[] = [
  defineCommand({
    words: ['key', 'create'],
    help: 'Makes a key of a company and prints it, this once.',
    options: {
      company,
      environment: oneOf(
        'ENVIRONMENT',
        ['live', 'test'],
        'Whether it opens the company or its sandbox.',
        'live',
      ),
      name: optional('NAME', 'What it is called; "Clave del operador" without.', readName),
      scope: repeated('SCOPE', 'What it may do, as docs/scopes.md lists; all (*) without.'),
      'api-version': apiVersion('Version of the API that it is pinned to.'),
    },
    async run(values, { config, as_json }) {
      await (await import('./key-runs.ts')).makeKey(values, config(), as_json);
    },
  }),
  defineCommand({
    words: ['key', 'list'],
    help: 'Lists the keys of a company and of its sandbox, never their secrets.',
    options: { company, all: flag('Also those that are revoked or have expired.') },
    async run(values, { config, as_json }) {
      await (await import('./key-runs.ts')).tellKeys(values, config(), as_json);
    },
  }),
  defineCommand({
    words: ['key', 'revoke'],
    help: 'Revokes a key at once.',
    options: { company, key: needed('KEY_ID', 'Id of the key, as "folio key list" tells it.', readId) },
    async run(values, { config, as_json }) {
      await (await import('./key-runs.ts')).revokeKey(values, config(), as_json);
    },
  }),
];

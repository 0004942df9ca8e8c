import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommandLine } from './command-parser.ts';
import { receiverCommands } from './receiver-commands.ts';

type Variables = { FOLIO_API_KEY?: string; FOLIO_URL?: string };

const run = (variables: Variables, ...args: string[]) =>
  runCommandLine(['api', 'GET', '/v1/account', ...args], {
    commands: receiverCommands,
    version: '0.0.0',
    say: () => undefined,
    config: () => assert.fail('no settings are read'),
    variable: (name) => variables[name],
  });

const key = 'svc_test_x';
for (const [variables, args, sentence] of [
  [{ FOLIO_API_KEY: key, FOLIO_URL: 'nowhere' }, [], /^FOLIO_URL must be an address/],
  [{ FOLIO_API_KEY: 'ñ' }, [], /^FOLIO_API_KEY must be an API key/],
  [{ FOLIO_API_KEY: key, FOLIO_URL: 'nowhere' }, ['--url', 'x'], /^--url must be an address/],
  [{ FOLIO_API_KEY: 'ñ' }, ['--key', 'é'], /^--key must be an API key/],
  [{}, ['--key', key, '--key', 'svc_test_y'], /^--key takes one value, and two are given\.$/],
  [{ FOLIO_API_KEY: key }, ['--url', 'x', '--url', 'x'], /^--url must be an address/],
] as const)
  test(`given ${JSON.stringify(variables)} and ${args.join(' ') || 'no options'}, then the refusal names what is wrong`, async () => {
    await assert.rejects(run(variables, ...args), { message: sentence });
  });

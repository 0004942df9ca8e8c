/** For developers: they have a key, and need no database. */
import { type Command, defineCommand, fromEnvironment, needed, optional, repeated } from './command.ts';
import { readKey, readReceiverUrl, readServiceUrl } from './option-readers.ts';

const key = (help: string) => fromEnvironment(needed('KEY', help, readKey), 'FOLIO_API_KEY');

const url = fromEnvironment(
  optional(
    'SERVICE_URL',
    'Where the service is; without, where these settings let it listen.',
    readServiceUrl,
  ),
  'FOLIO_URL',
);

export const receiverCommands: readonly Command[] = [
  defineCommand({
    words: ['api'],
    help: 'Calls the API and prints its answer.',
    examples: [
      'folio api GET /v1/invoices --limit 3 --status issued',
      `folio api POST /v1/clients --data '{"name": "Librería Norte SL"}'`,
      'folio api POST /v1/clients --data @client.json --idempotency-key client-1',
      'folio api GET /v1/invoices/INVOICE_ID/pdf > invoice.pdf',
    ],
    rest: {
      usage: 'METHOD PATH [--PARAMETER VALUE]...',
      help: 'Other options become parameters of the query.',
      count_max: 2,
      takes_options: true,
    },
    options: {
      key: key('API key of the caller.'),
      url,
      data: optional('JSON', 'Body of the request: JSON, @FILE with it, or @- for the standard input.'),
      'idempotency-key': optional('TEXT', 'A repeated call with the same one has one effect.'),
      'api-version': optional('DATE', "Version of the API; the key's without."),
    },
    async run(values, { rest, config, as_json }) {
      await (await import('./api-runs.ts')).callApi(values, rest, config, as_json);
    },
  }),
  defineCommand({
    words: ['listen'],
    help: 'Forwards new events of the key’s company, also of a sandbox, to a receiver on this machine, signed with a secret that it prints.',
    examples: [`folio listen --forward-to http://localhost:4000/hook --events 'invoice.*'`],
    options: {
      key: key('API key of the company or its sandbox.'),
      'forward-to': needed('URL', 'Where each event goes.', readReceiverUrl),
      events: repeated('EVENT,...', 'Which events: names, families (invoice.*); all (*) without.'),
      url,
    },
    async run(values, { config, as_json }) {
      await (await import('./receiver-runs.ts')).listenToEvents(values, config, as_json);
    },
  }),
  defineCommand({
    words: ['events', 'trigger'],
    help: 'Makes an event happen in the sandbox, by doing the real thing, and prints all events that came of it. Without EVENT, lists those it can.',
    rest: { usage: '[EVENT]', help: 'The event that is to happen.', count_max: 1 },
    options: {
      key: fromEnvironment(optional('TEST_KEY', 'API key of the sandbox.', readKey), 'FOLIO_API_KEY'),
      url,
    },
    async run(values, { rest, config, as_json }) {
      await (await import('./receiver-runs.ts')).triggerEvent(values, rest[0], config, as_json);
    },
  }),
];

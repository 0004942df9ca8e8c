/** What the commands of receiver-commands.ts do. Loaded when one of them runs. */
import { secretPrefixes } from '../platform/credentials.ts';
import { eventList } from '../modules/event-list.ts';
import { type EventName, eventCatalog } from '../modules/events/index.ts';
import { eventIssues } from '../modules/webhooks/index.ts';
import { ApiClient } from './api-client.ts';
import { readOptions } from './command-options.ts';
import type { Config } from './config.ts';
import { EventTail } from './event-tail.ts';
import { CommandError } from './explain.ts';
import { listen, listeningSecret } from './listen.ts';
import { watchStarter } from './starter.ts';
import { say } from './terminal.ts';

/** Without --url, where this configuration would listen. */
function readUrl(text: unknown, config: () => Config): string {
  if (typeof text === 'string') return readAddress('url', text);
  const { FOLIO_PUBLIC_URL, HOST, PORT } = config();
  if (FOLIO_PUBLIC_URL) return FOLIO_PUBLIC_URL;
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}

function readAddress(name: string, text: unknown): string {
  const url = URL.canParse(String(text)) ? new URL(String(text)) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new CommandError(`--${name} must be an address, for example http://localhost:4000/hook.`);
  return String(text);
}

function readKey(text: unknown): string {
  const key = String(text);
  // The HTTP client would refuse such a key later, in its own words.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new CommandError('--key must be an API key.');
  return key;
}

function readEvents(given: unknown): string[] {
  const names = ((given as string[] | undefined) ?? ['*']).flatMap((text) => text.split(','));
  const enabled_events = names.map((name) => name.trim()).filter((name) => name !== '');
  const [issue] = eventIssues(enabled_events, eventCatalog);
  if (issue || enabled_events.length === 0) {
    const wrong = enabled_events[Number(issue?.param.split('.')[1])] ?? '';
    throw new CommandError(
      `--events: "${wrong}" is no event of the catalogue, no family (invoice.*) and not *.`,
    );
  }
  return enabled_events;
}

function refusal(type: string): string {
  const item = eventList.items.find(({ name }) => name === type);
  if (!item) return `There is no event "${type}"; docs/events.md lists them.`;
  if (item.status === 'coming_soon') return `${type} is not emitted by this version.`;
  return `${type} cannot be triggered by this command. ${eventList.other_ways[item.name] ?? ''}`.trim();
}

async function trigger(api: ApiClient, type: string, as_json: boolean): Promise<void> {
  const act = eventList.triggers[type as EventName];
  if (!act) throw new CommandError(refusal(type));
  const tail = new EventTail(api);
  await tail.start();
  await act(api);
  const events = (await tail.read()).map(({ id, type: name, aggregate_id }) => ({
    id,
    type: name,
    aggregate_id,
  }));
  if (as_json) return say(JSON.stringify(events));
  for (const event of events) say(`${event.type}  ${event.id}`);
}

export async function listenToEvents(args: string[], config: () => Config): Promise<void> {
  const values = readOptions(
    args,
    {
      key: { type: 'string' },
      'forward-to': { type: 'string' },
      events: { type: 'string', multiple: true },
      url: { type: 'string' },
    },
    ['key', 'forward-to'],
  );
  const key = readKey(values.key);
  const forward_to = readAddress('forward-to', values['forward-to']);
  const enabled_events = readEvents(values.events);
  const api = new ApiClient(readUrl(values.url, config), key);
  const secret = listeningSecret(key);
  say(`Secret: ${secret}`);
  say(`Forwarding ${enabled_events.join(', ')} to ${forward_to}`);
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  watchStarter(() => end.abort());
  await listen({ api, forward_to, enabled_events, secret, say, signal: end.signal });
}

export async function triggerEvent(args: string[], config: () => Config): Promise<void> {
  const [first] = args;
  const type = first === undefined || first.startsWith('--') ? undefined : first;
  const values = readOptions(args.slice(type === undefined ? 0 : 1), {
    key: { type: 'string' },
    url: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (type === undefined) {
    for (const name of Object.keys(eventList.triggers)) say(name);
    return;
  }
  if (!(type in eventList.triggers)) throw new CommandError(refusal(type));
  if (values.key === undefined) throw new CommandError('Missing --key.');
  const key = readKey(values.key);
  if (!key.startsWith(secretPrefixes.test))
    throw new CommandError(`Only in the sandbox: --key must be one that begins with ${secretPrefixes.test}.`);
  await trigger(new ApiClient(readUrl(values.url, config), key), type, values.json === true);
}

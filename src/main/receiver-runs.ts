/** What the commands of receiver-commands.ts do. Loaded when one of them runs. */
import { secretPrefixes } from '../platform/credentials.ts';
import { eventList } from '../modules/event-list.ts';
import { type EventName, eventCatalog } from '../modules/events/index.ts';
import { eventIssues } from '../modules/webhooks/index.ts';
import { ApiClient } from './api-client.ts';
import { CommandError, UsageError } from './command-error.ts';
import type { Config } from './config.ts';
import { EventTail } from './event-tail.ts';
import { serviceAddress } from './hints.ts';
import { listen, listeningSecret } from './listen.ts';
import { watchStarter } from './starter.ts';
import { say } from './terminal.ts';

function readEvents(given: readonly string[]): string[] {
  const names = (given.length === 0 ? ['*'] : given).flatMap((text) => text.split(','));
  const enabled_events = names.map((name) => name.trim()).filter((name) => name !== '');
  const [issue] = eventIssues(enabled_events, eventCatalog);
  if (issue || enabled_events.length === 0) {
    const wrong = enabled_events[Number(issue?.param.split('.')[1])] ?? '';
    throw new UsageError(
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

type Caller = { key: string; url: string | undefined };

export async function listenToEvents(
  values: Caller & { 'forward-to': string; events: readonly string[] },
  config: () => Config,
  as_json: boolean,
): Promise<void> {
  const { key, 'forward-to': forward_to } = values;
  const enabled_events = readEvents(values.events);
  const api = new ApiClient(values.url ?? serviceAddress(config()), key);
  const secret = listeningSecret(key);
  if (as_json) say(JSON.stringify({ secret, forward_to, enabled_events }));
  else {
    say(`Secret: ${secret}`);
    say(`Forwarding ${enabled_events.join(', ')} to ${forward_to}`);
  }
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  watchStarter(() => end.abort());
  await listen({ api, forward_to, enabled_events, secret, say, as_json, signal: end.signal });
}

export async function triggerEvent(
  { key, url }: { key: string | undefined; url: string | undefined },
  type: string | undefined,
  config: () => Config,
  as_json: boolean,
): Promise<void> {
  if (type === undefined) {
    const names = Object.keys(eventList.triggers);
    if (as_json) say(JSON.stringify(names));
    else for (const name of names) say(name);
    return;
  }
  if (!(type in eventList.triggers)) throw new UsageError(refusal(type));
  if (key === undefined) throw new UsageError('Missing --key (or FOLIO_API_KEY).');
  if (!key.startsWith(secretPrefixes.test))
    throw new UsageError(`Only in the sandbox: --key must be one that begins with ${secretPrefixes.test}.`);
  await trigger(new ApiClient(url ?? serviceAddress(config()), key), type, as_json);
}

/**
 * Compares the events that a run of all tests saw with those that operations and jobs declare. The catalogue
 * calls each declared event available, so a test must see it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '../src/modules/catalog.ts';
import { emittedEventNames } from '../src/modules/event-list.ts';
import { jobHandlers } from '../src/modules/jobs.ts';

/** As the harness writes them: `issue_invoice invoice.overdue`. */
export function declaredLines(): string[] {
  return [
    ...catalog.flatMap(({ name, events }) => events.map((type) => `${name} ${type}`)),
    ...jobHandlers.flatMap(({ kind, events = [] }) => events.map((type) => `${kind} ${type}`)),
  ];
}

/**
 * @param dir one file per process, with the harness's lines
 * @returns 1 when an event was seen and not declared, or declared and not seen
 */
export function compareEvents(dir: string): 0 | 1 {
  const seen = new Set(readdirSync(dir).flatMap((file) => readFileSync(join(dir, file), 'utf8').split('\n')));
  const declared = declaredLines();
  const unseen = declared.filter((line) => !seen.has(line));
  const undeclared = [...seen].filter(
    (line) => line !== '' && !line.includes(' ') && !emittedEventNames.includes(line),
  );
  if (unseen.length > 0) console.error(`Declared, but no test saw them emitted:\n  ${unseen.join('\n  ')}`);
  if (undeclared.length > 0) console.error(`Emitted in the run, but not declared: ${undeclared.join(', ')}`);
  return unseen.length + undeclared.length === 0 ? 0 : 1;
}

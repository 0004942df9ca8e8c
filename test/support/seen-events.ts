/**
 * Checks events against their declarations. A run of all tests also notes who emitted each, for
 * scripts/compare-events.ts.
 */
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Operation } from '../../src/kernel/operation.ts';
import { eventWatchers, type WrittenEvent } from '../../src/platform/events.ts';
import type { JobCtx, JobHandler } from '../../src/platform/job-handler.ts';
import { eventFaults } from './event-faults.ts';

const { FOLIO_TEST_SEEN } = process.env;
const seenFile = FOLIO_TEST_SEEN ? join(FOLIO_TEST_SEEN, `${process.pid}.txt`) : null;
const noted = new Set<string>();
const faults = new Set<string>();
const byRequest = new Map<string, Set<string>>();

after(() => {
  if (faults.size === 0) return;
  // After an error node runs no more of these hooks, and those that close connections let the process end.
  console.error(['Events were emitted that are not as declared:', ...faults].join('\n  '));
  process.exitCode = 1;
});

const madeUp = new Set<string>();

/** What happens to a kind of documents that only a test knows. The catalogue, to which a run compares what it saw, has no such events. */
export function leaveOut(kind: string): void {
  madeUp.add(kind);
}

const isLeftOut = ({ type, data }: WrittenEvent): boolean =>
  [...madeUp].some((kind) => type.startsWith(`${kind}.`) || Object.hasOwn(data, kind));

/** @param line an event, after its operation or job when known */
function note(line: string): void {
  if (noted.has(line) || seenFile === null) return;
  noted.add(line);
  appendFileSync(seenFile, `${line}\n`);
}

eventWatchers.add((event) => {
  if (isLeftOut(event)) return;
  for (const fault of eventFaults(event)) faults.add(fault);
  note(event.type);
  const { correlation_id } = event;
  if (correlation_id !== null)
    byRequest.set(correlation_id, (byRequest.get(correlation_id) ?? new Set()).add(event.type));
});

export function holdEvents(operation: Operation, request_id: string): void {
  for (const type of byRequest.get(request_id) ?? []) {
    assert.ok(
      operation.events.includes(type),
      `${operation.name} emitted ${type}, which it does not declare`,
    );
    note(`${operation.name} ${type}`);
  }
}

/** Fails at the end of the file: a job that throws would run again. */
export function watchJob(handler: JobHandler): JobHandler {
  const { kind, events = [], outside } = handler;
  const watched = (ctx: JobCtx): JobCtx => ({
    ...ctx,
    emit(type, aggregate_id, options) {
      if (events.includes(type)) note(`${kind} ${type}`);
      else faults.add(`the job ${kind} emitted ${type}, which it does not declare`);
      ctx.emit(type, aggregate_id, options);
    },
  });
  const together = outside?.together;
  return {
    ...handler,
    ...(outside && {
      outside: {
        ...outside,
        begin: (ctx) => outside.begin(watched(ctx)),
        ...(together && {
          together: {
            ...together,
            run: (jobs) => together.run(jobs.map(({ ctx, ...job }) => ({ ...job, ctx: watched(ctx) }))),
          },
        }),
      },
    }),
    run: (ctx, result) => handler.run(watched(ctx), result),
  };
}

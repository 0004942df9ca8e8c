/** A database brought up to date, and the service on it. */
import nodeModule from 'node:module';
import type { Sql } from 'postgres';
import type { Database } from '../platform/db.ts';
import { renewListener } from '../platform/due-hint.ts';
import type { Config } from './config.ts';
import { type DatabaseHandle, prepareDatabase } from './database.ts';
import { drainMs } from './processes/ending-times.ts';
import { programLog } from './program-log.ts';
import { type Crew, type Role, type Service, startService } from './service.ts';
import { say } from './terminal.ts';

export type OpenService = { database: Database; listener: Sql | null; service: Service };

/**
 * Opens the service. The database is left to the caller also when it throws.
 * @param crew null for a service of one process
 */
export async function openService(
  handle: DatabaseHandle,
  config: Config,
  role: Role,
  crew: Crew | null,
): Promise<OpenService> {
  let database: Database | undefined;
  let listener: Sql | null = null;
  try {
    if (!crew?.has_database) await prepareDatabase(handle, say);
    database = handle.open(`folio ${role}`);
    const listening = handle.listener();
    listener = listening;
    if (listening) database.whenTurned(() => renewListener(listening));
    const log_stream = programLog(process.stdout);
    // A service may run for months and end by a signal that lets it write nothing. To write all sources anew holds the loop for up
    // to a second, so it is done while nobody calls.
    if (role !== 'worker') await import('./surfaces.ts');
    nodeModule.flushCompileCache();
    const service = await startService({ config, database, role, listener, crew, log_stream });
    return { database, listener, service };
  } catch (error) {
    await Promise.all([database?.close(), listener?.end({ timeout: 1 })]);
    throw error;
  }
}

const quietMs = 300;

/** Finishes the requests in flight. */
export function drainService({ service }: OpenService): Promise<void> {
  return service.drain(quietMs, drainMs);
}

/** Ends a service that is drained. The database is left to the caller. */
export async function closeService({ database, listener, service }: OpenService): Promise<void> {
  await service.stop();
  await Promise.all([database.close(), listener?.end({ timeout: 1 })]);
}

/** Ends without waiting: the database is gone. */
export async function abandonService({ database, listener, service }: OpenService): Promise<void> {
  // Closed first, so that whoever waits for the database is refused at once.
  await Promise.all([database.close(), listener?.end({ timeout: 0 }), service.abandon()]);
}

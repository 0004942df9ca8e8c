/** When the log of requests is written, as a database in memory sees it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from './db.ts';
import { makeRequestLog, type RequestLogEntry } from './request-log.ts';

const entry: RequestLogEntry = {
  company_id: '01920000-0000-7000-8000-000000000001',
  id: '01920000-0000-7000-8000-000000000002',
  request_id: '01920000-0000-7000-8000-000000000003',
  principal: { kind: 'api_key', id: '01920000-0000-7000-8000-000000000004', name: 'caja' },
  operation: 'list_clients',
  method: 'GET',
  path: '/v1/clients',
  status: 200,
  error_code: null,
  duration_ms: '1',
  ip: null,
  api_version: '2026-10-01',
  idempotency_key: null,
  created_at: '2026-10-01T10:00:00.000Z',
};

/** @returns the companies that are written for, in their order */
function watchedLog(writes_by_itself: boolean) {
  const written: string[] = [];
  const db = { transaction: async (company_id: string) => written.push(company_id) } as unknown as Database;
  return { written, log: makeRequestLog(db, assert.ifError, writes_by_itself) };
}

test('given a log that writes by itself, when it is closed, then what is left is written', async () => {
  const { written, log } = watchedLog(true);
  log.add(entry);
  await log.close();
  assert.deepEqual(written, [entry.company_id]);
});

test('given a log that only a flush writes, when it is closed, then it writes no more', async () => {
  const { written, log } = watchedLog(false);
  log.add(entry);
  await log.flush();
  log.add(entry);
  await log.close();
  assert.deepEqual(written, [entry.company_id]);
});

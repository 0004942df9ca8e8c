/**
 * Kills the worker that reads a scan, at each statement of its job and after each commit. Another worker reads it, and what is read is
 * kept once. The reader is left out: it answers at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ports } from '../../src/kernel/ports.ts';
import { startApp } from '../harness.ts';
import { isWrite } from '../support/checkouts.ts';
import { workUntil } from '../support/dying-worker.ts';
import { create } from '../support/resource-checks.ts';
import { blankPdf } from '../support/scan-samples/pdf-text.ts';

const path = '/v1/purchase_scans';
const isLock = (text: string) => /for (no key )?update/.test(text);

test('given an uploaded scan, when its worker dies at any statement of the reading, then another one reads it, and once', async (t) => {
  let readings = 0;
  const wrap_ports = (ports: Ports): Ports => ({
    ...ports,
    scan_reader: {
      at_once: 1,
      read: async () => {
        readings++;
        return { purchase: null, pages: 1, method: 'none', fields: [], warnings: ['Nada'] };
      },
    },
  });
  const app = await startApp(t, { wrap_ports });
  app.clock.set('2026-05-20T08:00:00Z');
  const { company_id, live_key: key } = await app.given.company();
  const seen = new Set<string>();
  for (let n = 0, is_over = false; !is_over; n++) {
    const content_base64 = blankPdf(n + 1).toString('base64');
    const { id } = await create(app, path, key, { file_name: 'a.pdf', content_base64 });
    let left = n;
    const dies = (text: string) => {
      if (!(isWrite(text) || isLock(text) || text === 'commit')) return undefined;
      if (left-- === 0) return 'before';
      return text === 'commit' && left-- === 0 ? 'after' : undefined;
    };
    readings = 0;
    is_over = !(await workUntil(t, app, {
      wrap_ports,
      dies,
      work: ({ worker }) => worker.runDue(company_id, 1),
    }));
    const get = async () => (await app.get(`${path}/${id}`, { key })).body.data;
    const { status, version, extraction } = await get();
    seen.add(status);
    // What a dead worker leaves is whole: read or not.
    assert.equal(extraction !== null, status === 'processed', String(n));
    app.clock.advance(61_000);
    await app.service.worker.runDue(company_id);
    const after = await get();
    assert.deepEqual(
      [after.status, after.error, after.extraction.warnings],
      ['processed', null, ['Nada']],
      String(n),
    );
    // Each attempt counts one, and so does its end.
    const attempts = status === 'processing' ? 2 : 1;
    assert.equal(after.version, 1 + attempts + 1, `${n}: ${status} ${version}`);
    assert.ok(readings <= attempts, `${n}: ${readings} readings`);
    const { body } = await app.get('/v1/audit-log', {
      key,
      query: { action: 'purchase_scan.finish', limit: '100' },
    });
    assert.equal(body.data.filter((one: { target: { id: string } }) => one.target.id === id).length, 1);
    const jobs =
      await app.sql`select kind from jobs where company_id = ${company_id} and kind like 'purchase_scan.%'`;
    assert.deepEqual([...jobs], []);
  }
  assert.deepEqual(seen, new Set(['uploaded', 'processing', 'processed']));
});

/** Scans over HTTP, with real files, a real blob store and real readers. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { blankPdf } from '../../../test/support/scan-samples/pdf-text.ts';

const path = '/v1/purchase_scans';

const bodyOf = (bytes: Buffer, file_name = 'factura.pdf') => ({
  file_name,
  content_base64: bytes.toString('base64'),
});

async function givenScan(app: App, bytes: Buffer) {
  const { company_id, live_key: key } = await app.given.company();
  const uploaded = await app.post(path, { key, body: bodyOf(bytes) });
  assert.equal(uploaded.status, 201, uploaded.text);
  return { company_id, key, scan: uploaded.body.data };
}

test('given a PDF, when it is uploaded, then it is kept byte for byte, read, and shown in the list', async (t) => {
  const app = await startApp(t);
  const bytes = blankPdf(2);
  const { key, company_id, scan } = await givenScan(app, bytes);
  assert.deepEqual(scan.file, {
    name: 'factura.pdf',
    media_type: 'application/pdf',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    pages: null,
  });
  assert.deepEqual([scan.status, scan.version, scan.extraction, scan.proposal], ['uploaded', 1, null, null]);
  await app.service.worker.runDue(company_id);
  const { data } = (await app.get(`${path}/${scan.id}`, { key })).body;
  assert.deepEqual([data.status, data.version, data.file.pages], ['processed', 3, 2]);
  assert.equal(data.extraction.method, 'none');
  const file = await app.get(`${path}/${scan.id}/file`, { key });
  assert.deepEqual([file.status, file.bytes.equals(bytes)], [200, true]);
  const listed = await app.get(path, { key, query: { status: 'processed', q: 'FACTURA' } });
  assert.deepEqual(listed.body.data, [data]);
});

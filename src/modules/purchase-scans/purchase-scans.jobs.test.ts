/** What becomes of a scan whose reader or worker is killed. */
import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { patientReader, readingWith } from '../../../test/support/patient-reader.ts';
import { blankPdf } from '../../../test/support/scan-samples/pdf-text.ts';
import type { BlobPort } from '../pdfs/index.ts';
import { startReading } from '../../integrations/scans/reader-pool.ts';

const unhurried = patientReader();
after(() => unhurried.close());

/** A service whose first readers are killed as they begin. */
async function appWith(t: TestContext, kills: number): Promise<App> {
  let started = 0;
  const reader = patientReader(() => {
    const child = startReading();
    if (++started <= kills) child.kill('SIGKILL');
    return child;
  });
  t.after(() => reader.close());
  return startApp(t, readingWith(reader));
}

async function givenScan(app: App) {
  const { company_id, live_key: key } = await app.given.company();
  const content_base64 = blankPdf(1).toString('base64');
  const { body } = await app.post('/v1/purchase_scans', {
    key,
    body: { file_name: 'a.pdf', content_base64 },
  });
  const path = `/v1/purchase_scans/${body.data.id}`;
  const get = async () => (await app.get(path, { key })).body.data;
  const run = async () => {
    await app.service.worker.runDue(company_id);
    return get();
  };
  return { company_id, key, id: body.data.id as string, path, get, run };
}

test('given a reader that is killed, when its time comes again, then another one reads the scan; it is not archived meanwhile', async (t) => {
  const app = await appWith(t, 1);
  const { key, path, run } = await givenScan(app);
  const waiting = await run();
  assert.deepEqual([waiting.status, waiting.version], ['processing', 2]);
  const archived = await app.delete(path, {
    key,
    query: { expected_version: '2' },
    headers: { 'idempotency-key': 'while it is being read' },
  });
  assert.deepEqual([archived.status, archived.body.error?.code], [409, 'invalid_status_transition']);
  app.clock.advance(6000);
  const read = await run();
  assert.deepEqual([read.status, read.file.pages, read.error], ['processed', 1, null]);
});

test('given a scan that fells three readers, then it alone has failed, with its file, and can be read again', async (t) => {
  const app = await appWith(t, 3);
  const { key, path, run } = await givenScan(app);
  for (const seconds of [0, 6, 31]) {
    app.clock.advance(seconds * 1000);
    await run();
  }
  const failed = await run();
  assert.deepEqual(
    [failed.status, failed.error?.code, failed.extraction],
    ['failed', 'reading_failed', null],
  );
  assert.equal((await app.get(`${path}/file`, { key })).bytes.length, failed.file.size);
  const other = await givenScan(app);
  assert.equal((await other.run()).status, 'processed');
  assert.equal((await app.post(`${path}/reprocess`, { key })).body.data.error, null);
  assert.equal((await run()).status, 'processed');
});

for (const [attempts, status, code] of [
  [1, 'processed', null],
  [3, 'failed', 'reading_failed'],
] as const)
  test(`given a worker that died in attempt ${attempts}, when another one takes the scan over, then it is ${status}`, async (t) => {
    const app = await startApp(t, readingWith(unhurried));
    const { id, run } = await givenScan(app);
    await app.sql`update purchase_scans set status = 'processing', attempts = ${attempts} where id = ${id}`;
    const { error, ...after } = await run();
    assert.deepEqual([after.status, error?.code ?? null], [status, code]);
  });

test('given two workers, when both look for work, then a scan is read once', async (t) => {
  const app = await startApp(t, readingWith(unhurried));
  const second = await startApp(t, readingWith(unhurried));
  const { company_id, get } = await givenScan(app);
  await Promise.all([app, second].map(({ service }) => service.worker.runDue(company_id)));
  const { status, version } = await get();
  assert.deepEqual([status, version], ['processed', 3]);
});

test('given a store that gives another file than was uploaded, then nobody gets that one, and the scan is read once it gives the right one', async (t) => {
  let instead: ((bytes: Uint8Array) => Uint8Array) | undefined;
  const app = await startApp(t, {
    wrap_ports: (ports) => {
      const get = async (key: string) => {
        const bytes = await ports.blobs.get(key);
        return bytes && instead ? instead(bytes) : bytes;
      };
      return { ...ports, scan_reader: unhurried, blobs: { ...ports.blobs, get } };
    },
  });
  const { key, path, run } = await givenScan(app);
  for (instead of [
    (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2),
    (bytes: Uint8Array) => bytes.map((byte, at) => (at === 100 ? byte ^ 1 : byte)),
    () => Buffer.from('<html>Sign in</html>'),
  ]) {
    const file = await app.get(`${path}/file`, { key, expects_fault: true });
    assert.deepEqual([file.status, file.body.error?.code], [503, 'service_unavailable']);
  }
  assert.equal((await run()).status, 'processing');
  instead = undefined;
  app.clock.advance(6000);
  assert.equal((await run()).status, 'processed');
  assert.equal((await app.get(`${path}/file`, { key })).status, 200);
});

test('given scans of a sandbox and of its live company, when the sandbox is emptied, then its files go, even if the store fails once, and the others stay', async (t) => {
  let fails = 1;
  const files = new Set<string>();
  const blobs: BlobPort = {
    get: async () => undefined,
    put: async (key) => void files.add(key),
    delete: async (key) => {
      if (fails-- > 0) throw new Error('The store is down.');
      files.delete(key);
    },
  };
  const app = await startApp(t, { wrap_ports: (ports) => ({ ...ports, blobs }) });
  const { company_id, sandbox_company_id, test_key, live_key } = await app.given.company();
  const keys: string[] = [];
  for (const [key, of] of [
    [test_key, sandbox_company_id],
    [test_key, sandbox_company_id],
    [live_key, company_id],
  ] as const) {
    const content_base64 = blankPdf(keys.length + 1).toString('base64');
    const made = await app.post('/v1/purchase_scans', { key, body: { file_name: 'a.pdf', content_base64 } });
    assert.equal(made.status, 201, made.text);
    keys.push(`scans/${of}/${made.body.data.id}`);
  }
  const stored = () => keys.map((key) => files.has(key));
  assert.deepEqual(stored(), [true, true, true]);
  const emptied = await app.delete('/v1/sandbox/data', { key: test_key });
  assert.equal(emptied.status, 200, emptied.text);
  await app.service.worker.runDue(sandbox_company_id);
  assert.equal(fails < 1, true);
  app.clock.advance(6000);
  await app.service.worker.runDue(sandbox_company_id);
  assert.deepEqual(stored(), [false, false, true]);
});

/** Who signed can be erased: nothing that the service keeps names them afterwards. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { givenNotes } from '../../../../test/support/notes.ts';
import { readText } from '../../../../test/support/pdf-reader.ts';
import { writePng } from '../../../../test/support/png.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';
import { findInTables } from '../../../../test/support/secret-search.ts';

const pdfText = async (bytes: Uint8Array) => (await readText(bytes)).join('\n');

/** Another note's file may be renamed after it was listed. */
function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Every place that holds one of the texts: tables, and files of the blob store. */
async function placesOf(app: App, texts: readonly string[]): Promise<string[]> {
  const found = (await findInTables(app, texts)).map(({ name }) => name);
  const folder = join(app.config.FOLIO_DATA_DIR, 'blobs');
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const file of files) {
    if (!file.isFile()) continue;
    const bytes = await readFile(join(file.parentPath, file.name)).catch(missing);
    if (bytes === null) continue;
    const said = file.name.endsWith('.pdf') ? await pdfText(bytes) : bytes.toString('latin1');
    if (texts.some((text) => said.includes(text))) found.push(file.name);
  }
  return found;
}

test('given a signature that is known everywhere, when it is erased, then no table and no file knows it', async (t) => {
  const app = await startApp(t);
  const { company, key, post, path, noteIn, done } = await givenNotes(app);
  const name = 'Zenobia Quintanilla';
  const picture = writePng(
    2,
    2,
    new Uint8Array(16).map((_, index) => 41 + index * 7),
  );
  const draft = await noteIn('pending');
  assertRefused(await post(`${path}/${draft.id}/gdpr-forget`), 409, 'invalid_status_transition');
  const headers = { 'idempotency-key': 'firma-1' };
  const body = {
    signed_by: name,
    signer_tax_id: '87654321X',
    signature_image: `data:image/png;base64,${picture.toString('base64')}`,
    received_by: { name },
  };
  const signed = await app.post(`${path}/${draft.id}/sign`, { key, headers, body });
  assert.equal(signed.status, 200, signed.text);
  const labels = { metadata: { a: 'b' } };
  await app.put(`${path}/${draft.id}`, { key, headers: { 'idempotency-key': 'etiqueta' }, body: labels });
  const before = await app.get(`${path}/${draft.id}/pdf`, { key });
  assert.ok((await pdfText(before.bytes)).includes(name));
  await done(`${path}/${draft.id}/send`, { to: ['a@example.com'] });
  await app.service.worker.runDue(company.company_id);
  await done(`${path}/${draft.id}/convert`, { target: 'invoice' });
  assert.deepEqual((await placesOf(app, [name])).sort(), [
    'public.delivery_note_signatures',
    'public.delivery_notes',
    'public.idempotency_keys',
  ]);
  const erased = await post(`${path}/${draft.id}/gdpr-forget`, { reason: 'Solicitud' });
  const { status, signed_by, signed_at, received_by, signature_image_url } = erased.body.data;
  assert.deepEqual(
    [status, signed_by, signed_at, received_by, signature_image_url],
    ['invoiced', null, signed.body.data.signed_at, null, null],
  );
  const texts = [name, '87654321X', picture.toString('hex'), picture.toString('base64')];
  assert.deepEqual(await placesOf(app, texts), [], String(texts));
  const { data } = (await app.get(`${path}/${draft.id}/signature`, { key })).body;
  assert.deepEqual([data.ip, data.user_agent, data.erased_at !== null], [null, null, true]);
  assert.match(data.content_hash, /^[0-9a-f]{64}$/);
  const after = await app.get(`${path}/${draft.id}/pdf`, { key });
  assert.ok(!(await pdfText(after.bytes)).includes(name));
  assert.equal((await app.get(`${path}/${draft.id}/signature/image`, { key })).status, 404);
  const replay = await app.post(`${path}/${draft.id}/sign`, { key, headers, body });
  assert.deepEqual([replay.status, replay.headers['idempotent-replayed']], [200, 'true']);
  assert.deepEqual([replay.body.data.signed_by, replay.body.data.status], [null, 'signed']);
  const events = await app.eventTypes(company, draft.id);
  assert.equal(events.at(-1), 'delivery_note.updated');
  const again = await post(`${path}/${draft.id}/gdpr-forget`);
  assert.deepEqual([again.status, again.body.data], [200, erased.body.data]);
  assert.deepEqual(await app.eventTypes(company, draft.id), events);
  const other = await app.given.apiKey(company, { scopes: ['delivery_notes:transition'] });
  const refused = await app.post(`${path}/${draft.id}/gdpr-forget`, { key: other });
  assertRefused(refused, 403, 'insufficient_scope');
});

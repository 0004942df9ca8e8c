import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { recordingCompany, issueTicketOf, recordOf } from '../../../../test/support/recording-company.ts';
import { assertHidesForeignIds } from '../../../../test/support/resource-checks.ts';

test('given a record, when its XML is read, then it is the stored text byte for byte, under a mark that never changes', async (t) => {
  const app = await startApp(t);
  const { key } = await recordingCompany(app);
  const ticket = await issueTicketOf(app, key);
  const { id } = await recordOf(app, key, ticket.id);
  await app.sql`update verifactu_records set xml = replace(xml, 'Consultoría', 'Consultoría y más ñ €') where id = ${id}`;
  const path = `/v1/verifactu/records/${id}/xml`;
  const res = await app.get(path, { key });
  const [row] = await app.sql<{ xml: string }[]>`select xml from verifactu_records where id = ${id}`;
  assert.equal(res.status, 200);
  assert.equal(res.text, row!.xml);
  assert.match(res.text, /más ñ €/);
  assert.equal(Number(res.headers['content-length']), Buffer.byteLength(row!.xml));
  assert.equal(res.headers['content-type'], 'application/xml');
  assert.match(
    String(res.headers['content-disposition']),
    /^attachment; filename="alta-[A-Za-z0-9._-]+\.xml"$/,
  );
  assert.ok(res.headers['service-version'] && res.headers['x-request-id']);

  const tag = String(res.headers.etag);
  for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await app.get(path, { key, headers: { 'If-None-Match': sent } });
    assert.deepEqual([again.status, again.text], [304, ''], sent);
    assert.equal(again.headers.etag, tag);
  }
  assert.equal((await app.get(path, { key, headers: { 'If-None-Match': '"other"' } })).status, 200);
  const without = await app.get(path, { headers: { 'If-None-Match': tag } });
  assert.equal(without.status, 401);
});

test('given a caller of any media type, when the XML is refused, then the refusal is JSON as everywhere', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await recordingCompany(app), await recordingCompany(app)];
  const foreign = await recordOf(app, other.key, (await issueTicketOf(app, other.key)).id);
  const path = (id: string) => `/v1/verifactu/records/${id}/xml`;
  await assertHidesForeignIds(app, 'GET', path, foreign.id, {
    key: acme.key,
    headers: { accept: 'application/xml' },
  });
});

test('given the document of the API, then it tells the media type of what answers a file', async (t) => {
  const app = await startApp(t);
  const { body } = await app.get('/openapi.json');
  const { responses, parameters } = body.paths['/v1/verifactu/records/{record}/xml'].get;
  assert.deepEqual(Object.keys(responses['200'].content), ['application/xml']);
  assert.deepEqual(responses['200'].content['application/xml'].schema, { type: 'string', format: 'binary' });
  for (const status of ['200', '304'])
    for (const name of ['ETag', 'Content-Disposition'])
      assert.ok(responses[status].headers[name], `${status} ${name}`);
  assert.doesNotMatch(responses['304'].description, /texto/);
  assert.ok(parameters.some((p: { $ref?: string }) => p.$ref === '#/components/parameters/If-None-Match'));
  const page = await app.get('/docs/reference/verifactu');
  assert.match(page.text, /El fichero, <code>application\/xml<\/code>/);
  for (const told of ['If-None-Match', '304', 'ETag', 'Content-Disposition'])
    assert.ok(page.text.includes(`<code>${told}</code>`) || page.text.includes(`>${told}</code>`), told);
});

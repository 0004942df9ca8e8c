import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { create } from '../../../test/support/resource-checks.ts';

for (const [public_url, base] of [
  ['https://facturas.example', ''],
  ['https://facturas.example/casa/', '/casa'],
] as const) {
  test(`given ${public_url}, when a page has more, then its Link leads on below that address`, async (t) => {
    const app = await startApp(t, { env: { FOLIO_PUBLIC_URL: public_url } });
    const { live_key: key } = await app.given.company();
    for (const name of ['Peña e hijos', 'Peña y Cía', 'Otra'])
      await create(app, '/v1/clients', key, { name });
    const { body, headers } = await app.get('/v1/clients', { key, query: { limit: '1', q: 'peña' } });
    assert.equal(
      headers.link,
      `<${base}/v1/clients?limit=1&q=pe%C3%B1a&starting_after=${body.next_cursor}>; rel="next"`,
    );
    const all = { limit: '1', q: 'peña', starting_after: body.next_cursor };
    assert.equal((await app.get('/v1/clients', { key, query: all })).headers.link, undefined);
  });
}

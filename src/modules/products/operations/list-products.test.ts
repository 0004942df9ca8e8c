import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  assertFilters,
  assertNeedsScope,
  assertPages,
  create,
} from '../../../../test/support/resource-checks.ts';

test('given products of two companies, when one lists, then each order has only its own, in both directions', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  await create(app, '/v1/products', other.live_key, { name: 'b' });
  const ids: string[] = [];
  for (const name of ['b', 'C', 'a', 'b', 'D']) {
    ids.push((await create(app, '/v1/products', acme.live_key, { name })).id);
  }
  const [b1, c, a, b2, d] = ids as [string, string, string, string, string];
  await assertPages(
    app,
    '/v1/products',
    acme.live_key,
    {},
    { created: [b1, c, a, b2, d], name: [a, b1, b2, c, d] },
  );
});

test('given products, when they are filtered, then only those that fit are listed, with their taxes', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const tax = await create(app, '/v1/taxes', key, { name: 'Exenta', kind: 'vat', exemption_reason: 'E1' });
  const silla = {
    name: 'Silla 50%',
    code: 'S-1',
    description: 'Plegable',
    external_id: 'A',
    taxes_id: tax.id,
  };
  const one = (await create(app, '/v1/products', key, silla)).id;
  app.clock.advance(60_000);
  const since = app.clock.now().toISOString();
  const mesa = { name: 'Mesa', code: 's-2', external_id: 'A', is_active: false };
  const two = (await create(app, '/v1/products', key, mesa)).id;
  await assertFilters(app, '/v1/products', key, [
    [{}, [one, two]],
    [{ q: 'SILLA' }, [one]],
    [{ q: '50%' }, [one]],
    [{ q: 'plegable' }, [one]],
    [{ q: 's-' }, [one, two]],
    [{ q: 's_1' }, []],
    [{ code: 'S-1' }, [one]],
    [{ code: 'S-2' }, []],
    [{ external_id: 'A' }, [one, two]],
    [{ external_id: 'A', is_active: 'false' }, [two]],
    [{ 'created[gte]': since }, [two]],
    [{ 'created[lt]': since }, [one]],
  ]);
  const { body } = await app.get('/v1/products', { key, query: { code: 'S-1' } });
  assert.deepEqual(body.data[0].taxes, { id: tax.id, name: 'Exenta', rate: null });
});

test('given a key without products:read, when products are listed, then it is refused', async (t) => {
  const app = await startApp(t);
  await assertNeedsScope(app, await app.given.company(), 'products:read', 'GET', '/v1/products');
});

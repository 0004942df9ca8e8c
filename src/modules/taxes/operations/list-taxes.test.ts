import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  assertFilters,
  assertNeedsScope,
  assertPages,
  create,
} from '../../../../test/support/resource-checks.ts';

test('given a new company, when its taxes are listed, then they are the usual ones of Spain', async (t) => {
  const app = await startApp(t);
  const { live_key, test_key } = await app.given.company();
  for (const key of [live_key, test_key]) {
    const { body } = await app.get('/v1/taxes', { key, query: { sort: 'created' } });
    const rows = body.data.map((x: Record<string, unknown>) => [
      x.kind,
      x.rate,
      x.surcharge_rate,
      x.exemption_reason,
    ]);
    assert.deepEqual(rows.slice(0, 5), [
      ['vat', 21, 5.2, null],
      ['vat', 10, 1.4, null],
      ['vat', 4, 0.5, null],
      ['vat', 0, null, null],
      ['vat', null, null, 'E1'],
    ]);
    assert.deepEqual(rows.slice(-3), [
      ['retention', 15, null, null],
      ['retention', 7, null, null],
      ['retention', 19, null, null],
    ]);
  }
});

test('given taxes of two companies, when one lists, then each order has only its own, in both directions', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  await create(app, '/v1/taxes', other.live_key, { name: 'b', kind: 'ipsi', rate: 1 });
  const ids: string[] = [];
  for (const name of ['b', 'C', 'a', 'b', 'D']) {
    ids.push((await create(app, '/v1/taxes', acme.live_key, { name, kind: 'ipsi', rate: 1 })).id);
  }
  const [b1, c, a, b2, d] = ids as [string, string, string, string, string];
  await assertPages(
    app,
    '/v1/taxes',
    acme.live_key,
    { kind: 'ipsi' },
    {
      created: [b1, c, a, b2, d],
      name: [a, b1, b2, c, d],
    },
  );
});

test('given taxes, when they are filtered, then only those that fit are listed', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const old = (
    await create(app, '/v1/taxes', key, { name: 'IPSI Ceuta 50%', kind: 'ipsi', rate: 3, is_active: false })
  ).id;
  app.clock.advance(60_000);
  const since = app.clock.now().toISOString();
  const fresh = (
    await create(app, '/v1/taxes', key, {
      name: 'IPSI Melilla',
      kind: 'ipsi',
      rate: 4,
      external_reference: 'M-1',
    })
  ).id;
  await assertFilters(app, '/v1/taxes', key, [
    [{ kind: 'ipsi' }, [old, fresh]],
    [{ kind: 'ipsi', is_active: 'true' }, [fresh]],
    [{ is_active: 'false' }, [old]],
    [{ q: 'ceuta' }, [old]],
    [{ q: '50%' }, [old]],
    [{ q: 'ipsi%mel' }, []],
    [{ q: 'm-1' }, [fresh]],
    [{ external_reference: 'M-1' }, [fresh]],
    [{ 'created[gte]': since }, [fresh]],
    [{ 'created[gt]': since }, []],
    [{ kind: 'ipsi', 'created[lt]': since }, [old]],
    [{ kind: 'ipsi', 'created[lte]': since }, [old, fresh]],
  ]);
});

test('given a key without taxes:read, when taxes are listed, then it is refused', async (t) => {
  const app = await startApp(t);
  await assertNeedsScope(app, await app.given.company(), 'taxes:read', 'GET', '/v1/taxes');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';

test('given invoices, when filtered, then each filter keeps just its own', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  const key = acme.live_key;
  const client = (await app.post('/v1/clients', { key, body: { name: 'Norte SL' } })).body.data.id;
  const make = async (unit_price: number, fields: object) =>
    (
      await app.post('/v1/invoices', {
        key,
        body: { type: 'F2', lines: [{ description: 'x', unit_price, tax_rate: 0 }], ...fields },
      })
    ).body.data;
  const draft = await make(10, { tags: ['web'] });
  const issued = await make(20, {
    client_id: client,
    external_id: 'p-1',
    due_on: '2026-06-30',
    options: { issue: true },
  });
  const full = await make(30, { type: 'F1', client_id: client, issued_on: '2026-05-01' });
  const cases: [Record<string, string>, string[]][] = [
    [{ status: 'draft' }, [full.id, draft.id]],
    [{ 'status[in]': 'issued,paid' }, [issued.id]],
    [{ type: 'F1' }, [full.id]],
    [{ client_id: client }, [full.id, issued.id]],
    [{ series_id: issued.series.id }, [issued.id, draft.id]],
    [{ number: issued.number }, [issued.id]],
    [{ external_id: 'p-1' }, [issued.id]],
    [{ tag: 'web' }, [draft.id]],
    [{ q: 'nortE' }, [full.id, issued.id]],
    [{ q: issued.number.slice(-4) }, [issued.id]],
    [{ q: '100%' }, []],
    [{ 'issued_on[gte]': '2026-05-02' }, [issued.id]],
    [{ 'issued_on[lt]': '2026-05-02' }, [full.id]],
    [{ 'due_on[lte]': '2026-06-30' }, [issued.id]],
    [{ 'total[gte]': '20', 'total[lt]': '30' }, [issued.id]],
    [{ 'created[gt]': '2026-05-20T10:00:00Z' }, []],
    [{ sort: 'total' }, [draft.id, issued.id, full.id]],
    [{ sort: '-number' }, [issued.id, full.id, draft.id]],
  ];
  for (const [query, expected] of cases) {
    const res = await app.get('/v1/invoices', { key, query });
    assert.equal(res.status, 200, res.text);
    assert.deepEqual(
      res.body.data.map((d: { id: string }) => d.id),
      expected,
      JSON.stringify(query),
    );
  }
  const bad = await app.get('/v1/invoices', { key, query: { status: 'lost' } });
  assert.deepEqual([bad.status, bad.body.error.param], [422, 'status']);
});

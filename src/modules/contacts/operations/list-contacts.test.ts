import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { contactRoles } from '../../../../test/support/contact-roles.ts';
import {
  assertFilters,
  assertNeedsScope,
  assertPages,
  create,
} from '../../../../test/support/resource-checks.ts';

for (const { object, path } of contactRoles) {
  test(`given ${object}s, when they are listed, then each order has only them, in both directions`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const other = await app.given.company();
    await create(app, path, other.live_key, { name: 'b' });
    const ids: string[] = [];
    for (const name of ['b', 'C', 'a', 'b', 'D']) {
      ids.push((await create(app, path, acme.live_key, { name })).id);
      const other_role = contactRoles.find((role) => role.path !== path)!;
      await create(app, other_role.path, acme.live_key, { name });
    }
    const [b1, c, a, b2, d] = ids as [string, string, string, string, string];
    await assertPages(app, path, acme.live_key, {}, { created: [b1, c, a, b2, d], name: [a, b1, b2, c, d] });
  });
}

test('given clients, when they are filtered, then only those that fit are listed', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const one = (
    await create(app, '/v1/clients', key, {
      name: 'Suministros 100% Norte',
      tax_id: 'B12345674',
      email: 'Facturas@Norte.example',
      external_id: 'ERP-1',
    })
  ).id;
  app.clock.advance(60_000);
  const since = app.clock.now().toISOString();
  const two = (
    await create(app, '/v1/clients', key, {
      name: 'Müller GmbH',
      tax_id: 'DE 123',
      address: { country: 'DE' },
      external_id: 'ERP-1',
      is_active: false,
    })
  ).id;
  await assertFilters(app, '/v1/clients', key, [
    [{}, [one, two]],
    [{ q: 'suministros' }, [one]],
    [{ q: '100%' }, [one]],
    [{ q: '0_N' }, []],
    [{ q: 'b1234' }, [one]],
    [{ q: '@norte' }, [one]],
    [{ q: 'MÜLLER' }, [two]],
    [{ tax_id: 'B12345674' }, [one]],
    [{ tax_id: 'es-b12345674' }, [one]],
    [{ tax_id: 'DE 123' }, [two]],
    [{ tax_id: 'B123' }, []],
    [{ external_id: 'ERP-1' }, [one, two]],
    [{ external_id: 'ERP-1', is_active: 'true' }, [one]],
    [{ is_active: 'false' }, [two]],
    [{ email: 'facturas@norte.example' }, [one]],
    [{ 'created[gte]': since }, [two]],
    [{ 'created[lt]': since }, [one]],
    [{ 'created[gt]': since }, []],
    [{ 'created[lte]': since, tax_id: 'DE 123' }, [two]],
  ]);
});

test('given a key without contacts:read, when contacts are listed, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  for (const { path } of contactRoles) await assertNeedsScope(app, acme, 'contacts:read', 'GET', path);
});

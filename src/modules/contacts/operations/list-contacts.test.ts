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
  const numbers = await app.given.company();
  const made = async (fields: object) =>
    (await create(app, '/v1/clients', numbers.live_key, { name: 'Uno', ...fields })).id;
  const spanish = await made({ tax_id: 'A58818501' });
  const french = await made({ vat_id: 'fr 40 303265045' });
  const irish = await made({ alternative_id: { type: 'vat_id', value: 'IE6388047V' } });
  const moroccan = await made({
    alternative_id: { type: 'passport', value: 'MA-12 34.56', country_code: 'MA' },
  });
  const german = await made({ tax_id: 'DE 136-695976', address: { country: 'DE' } });
  const other = await app.given.company();
  const of = (id: string, ...texts: string[]) => texts.map((q) => [{ q }, [id]] as const);
  await assertFilters(app, '/v1/clients', numbers.live_key, [
    ...of(spanish, 'a58818501', 'ESA58818501', 'es-a58.818.501', 'A-58818501', 'A 58 818 501'),
    ...of(french, 'FR40303265045', 'fr40303265045', '303265045', 'FR 40 303 265 045', 'FR-40303265045'),
    ...of(irish, 'IE6388047V', 'ie 6388047 v', '6388047'),
    ...of(moroccan, 'MA-12 34.56', 'ma123456', 'MA 123 456'),
    ...of(german, 'DE136695976', 'de 136 695 976', 'DE 136-695976', '695976'),
    [{ q: 'FR40303265046' }, []],
  ]);
  await assertFilters(app, '/v1/clients', other.live_key, [[{ q: 'FR40303265045' }, []]]);
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

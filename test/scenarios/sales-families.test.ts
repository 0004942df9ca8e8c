/** The five families of sales documents keep the same rules, over HTTP and over a surface in memory (ADR 25, ADR 28). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentKinds, paperKinds } from '../../src/domain/sales/document-kinds.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { families } from '../../src/modules/families.ts';
import { startApp } from '../harness.ts';
import { checkFamily } from '../support/family-checks.ts';
import { overMemory } from '../support/memory-app.ts';
import { salesFamilies } from '../support/sales-families.ts';

for (const setup of salesFamilies) {
  checkFamily(setup);
  checkFamily({
    ...setup,
    surface: 'in memory',
    start: async (t, options) => overMemory(await setup.start(t, options)),
  });
}

test('given a kind of document, then it is a family, and the cases above are tried of it', () => {
  const objects = families.map(({ object }) => object);
  assert.deepEqual(objects.toSorted(), Object.keys(documentKinds).toSorted());
  // A supplier's paper comes with its number: `purchase-invoices.test.ts` has cases of its own.
  const apart = ['purchase_invoice'];
  const tried = salesFamilies.map(({ family }) => family.object);
  assert.deepEqual([...tried, ...apart].toSorted(), objects.toSorted());
});

const operations = new Map(catalog.map((operation) => [operation.name, operation]));
const codesOf = (name: string) => operations.get(name)!.errors;

test('given the operations of recurrences, then resume and activate refuse with 422, and not found is only said of an id of a bulk', () => {
  for (const name of ['resume_recurring_invoice', 'activate_recurring_invoice']) {
    const own = codesOf(name).filter(({ code }) => code !== 'resource_not_found');
    assert.deepEqual([...new Set(own.map(({ status }) => status))], [422], name);
  }
  const telling = catalog.filter(({ errors }) =>
    errors.some(({ code }) => code === 'recurring_invoice_not_found'),
  );
  assert.deepEqual(telling, []);
});

test('given a pro-forma, then nothing takes a payment for it', async (t) => {
  const paid = catalog.filter(({ path }) => /payment|collection/.test(path)).map(({ path }) => path);
  assert.ok(paid.length > 0);
  assert.deepEqual(
    paid.filter((path) => !/^\/v1\/(invoices|payments|purchase_invoices)/.test(path)),
    [],
  );
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { amount: 1, payment_method: 'cash' };
  assert.equal((await app.post(`/v1/proformas/${newId()}/payments`, { key, body })).status, 404);
});

test('given addresses that people keep, then the number of each kind in them is the one that it had', () => {
  const codes = paperKinds.map((kind) => [kind, documentKinds[kind].address_code]);
  assert.deepEqual(Object.fromEntries(codes), { invoice: 1, quote: 2, proforma: 3, delivery_note: 4 });
});

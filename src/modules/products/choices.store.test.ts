import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOwnDatabase } from '../../../test/harness.ts';
import { create } from '../../../test/support/resource-checks.ts';
import type { Tx } from '../../kernel/operation.ts';
import { findChoices } from './choices.store.ts';

/** What is known of a table decides which plan PostgreSQL takes. */
const startApp = onOwnDatabase();

const [variants, groups, named, lines] = [500, 20, 230, 3];

test('given options that only some variants have, when lines choose options without a variant, then what the groups allow is found once a line', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const attributes = ['Talla', 'Color'];
  const codes = Array.from({ length: variants }, (_, at) => `v${at}`);
  const product = await create(app, '/v1/products', key, {
    name: 'Camiseta',
    unit_price: 10,
    attributes: attributes.map((name) => ({
      name,
      values: codes.slice(0, 50).map((value) => ({ name: value })),
    })),
    variants: codes.map((code, at) => ({
      code,
      name: code,
      values: [at % 50, Math.floor(at / 50)].map((value, of) => ({
        attribute: attributes[of],
        value: codes[value],
      })),
    })),
    option_groups: Array.from({ length: groups }, (_, at) => ({
      name: `Grupo ${at}`,
      variant_ids: codes.slice(at, at + named),
      values: Array.from({ length: 50 }, (_, value) => ({ name: `Opción ${value}` })),
    })),
  });
  const option_groups = product.option_groups as unknown as { values: { id: string }[] }[];
  const asked = Array.from({ length: lines }, (_, at) => ({
    product_id: product.id,
    variant_id: null,
    presentation_id: null,
    value_ids: option_groups.map(({ values }) => values[at]!.id),
  }));
  for (const known of ['nothing', 'its rows']) {
    if (known === 'its rows')
      await app.sql`analyze product_option_groups, product_option_values, product_variants`;
    const { found, passed } = await app.db.read(company_id, async (tx) => ({
      found: await findChoices(tx, company_id, asked),
      passed: await rowsPassed(tx, (explaining) => findChoices(explaining, company_id, asked)),
    }));
    // Two that fit, and the first that all the options fit.
    for (const one of found)
      assert.deepEqual(
        one!.choices.variants.map(({ name }) => name),
        ['v0', 'v1', `v${groups - 1}`],
      );
    // Each variant that a group names passes some steps of the plan.
    const most = lines * groups * named * 3;
    assert.ok(passed <= most, `with ${known} known: ${passed} rows, where ${most} are enough`);
  }
});

type Step = Record<string, unknown> & { Plans?: Step[] };

/** The rows that went through all steps of the plan of the one statement that is sent, with those that a step left out. */
async function rowsPassed(tx: Tx, send: (explaining: Tx) => Promise<unknown>): Promise<number> {
  let passed = 0;
  const add = (step: Step): void => {
    const rows = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Join Filter'];
    for (const name of rows) passed += Number(step[name] ?? 0) * Number(step['Actual Loops']);
    for (const one of step.Plans ?? []) add(one);
  };
  const unsafe = async (text: string, values: string[]) => {
    const [row] = await tx.unsafe<{ 'QUERY PLAN': { Plan: Step }[] }[]>(
      `explain (analyze, timing off, format json) ${text}`,
      values,
    );
    add(row!['QUERY PLAN'][0]!.Plan);
    return [];
  };
  await send({ unsafe } as unknown as Tx);
  return passed;
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tx } from '../kernel/operation.ts';
import { insertMarked, insertRows } from './rows.ts';

const columns = { id: 'uuid' };

async function textOf(insert: typeof insertRows): Promise<string[]> {
  const texts: string[] = [];
  const unsafe = (text: string) => {
    texts.push(text);
    return { execute: async () => [] };
  };
  await insert({ unsafe } as unknown as Tx, 'acme', 'sheets', columns, [{ id: '1' }]);
  await insert({ unsafe } as unknown as Tx, 'acme', 'sheets', columns, []);
  return texts;
}

test('marked rows say whether they are of a sandbox, others do not, and no rows send nothing', async () => {
  const from = 'from companies h, json_to_recordset($2::text::json) as x(id uuid) where h.company_id = $1 ';
  assert.deepEqual(await textOf(insertRows), [
    `insert into sheets as t (company_id, id) select h.company_id, x.id ${from}`,
  ]);
  assert.deepEqual(await textOf(insertMarked), [
    `insert into sheets as t (company_id, is_sandbox, id) select h.company_id, h.environment = 'test', x.id ${from}`,
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementName } from './statement-name.ts';

const cases: [text: string[], name: string | null][] = [
  [['select id from invoices where company_id = ', ' and id = ', ''], 'select invoices'],
  [['\n    insert into events as t (company_id) select h.company_id from companies h'], 'insert events'],
  [['update due_work as d set lease_until = ', ''], 'update due_work'],
  [['delete from jobs where id = ', ''], 'delete jobs'],
  [['with due as (\n  select kind from due_work) select kind from due'], 'select due_work'],
  [['select 1'], 'select'],
  [['begin read only'], null],
  [["set local app.company = '01a208b8-5994-7000-a2b5-0fbfe95b4c7b'"], null],
  [['commit'], null],
];
for (const [text, name] of cases)
  test(`${text.join('?')} is called ${name}`, () => {
    assert.equal(statementName(text), name);
    assert.equal(statementName(text), name, 'also from memory');
  });

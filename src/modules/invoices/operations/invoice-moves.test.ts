/** In every state, `can-annul` and `can-issue` say what annul and issue would (test/support/families/invoices.ts has the moves). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invoiceSetup as setup } from '../../../../test/support/families/invoices.ts';
import { given } from '../../../../test/support/family-setup.ts';

test('given an invoice in each state, then can-annul and can-issue agree with the moves, and say why not', async (t) => {
  const { now, cells, make } = setup.states!;
  const desk = { ...(await given(setup, t, {}, now)), setup };
  const { app, key, path, act } = desk;
  for (const [status, row] of Object.entries(cells)) {
    const [id = ''] = await make(desk, status, 1);
    const { can_annul, reasons } = (await app.get(`${path}/${id}/can-annul`, { key })).body.data;
    assert.equal(can_annul, row['annul with its payments'] === 'annulled', status);
    assert.equal(reasons.length, can_annul ? 0 : 1, status);
    const issue = await act(id, 'can-issue');
    assert.equal(issue.can_issue, row.issue === 'issued', status);
    assert.deepEqual(
      (issue.reasons as { code: string }[]).map(({ code }) => code),
      status === 'draft' ? [] : ['invalid_status_transition'],
    );
  }
});

/** Every move in every state. `can-annul` and `can-issue` agree with annul and issue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type App, startApp } from '../../../../test/harness.ts';

const today = '2026-05-20T10:00:00Z';
const line = { description: 'Trabajo', unit_price: 100, tax_rate: 21 };

type Place = { app: App; key: string; client_id: string };

const call = ({ app, key }: Place, path: string, body?: unknown): Promise<Answer> =>
  app.post(`/v1/invoices${path}`, { key, ...(body === undefined ? {} : { body }) });

/** Overdue when `due_on` is past. */
async function ticket(place: Place, fields: object = {}): Promise<string> {
  const res = await call(place, '', { type: 'F2', lines: [line], options: { issue: true }, ...fields });
  assert.equal(res.status, 201, res.text);
  return res.body.data.id;
}

async function after(place: Place, move: (id: string) => Promise<Answer>): Promise<string> {
  const id = await ticket(place);
  const res = await move(id);
  assert.ok(res.status < 300, res.text);
  return id;
}

const differences = { correction: { type: 'differences' } };
const substitution = { correction: { type: 'substitution' } };
const cash = (amount: number) => ({ amount, payment_method: 'cash' });
const substitute = (place: Place, id: string) =>
  call(place, '/substitute-simplified', { simplified_invoice_uuids: [id], client_id: place.client_id });

const given: Record<string, (place: Place) => Promise<string>> = {
  draft: (place) => ticket(place, { options: {} }),
  issued: (place) => ticket(place),
  sent: (place) => after(place, (id) => call(place, `/${id}/mark-sent`)),
  overdue: (place) => ticket(place, { issued_on: '2026-05-01', due_on: '2026-05-10' }),
  paid: (place) => after(place, (id) => call(place, `/${id}/payments`, cash(121))),
  rectified: (place) => after(place, (id) => call(place, `/${id}/corrective`, differences)),
  substituted: (place) => after(place, (id) => substitute(place, id)),
  voided: (place) => after(place, (id) => call(place, `/${id}/void`)),
  annulled: (place) => after(place, (id) => call(place, `/${id}/annul`)),
};

type Move = (place: Place, id: string) => Promise<Answer>;
const moves: Record<string, Move> = {
  edit: ({ app, key }, id) => app.put(`/v1/invoices/${id}`, { key, body: { notes: 'otra' } }),
  label: ({ app, key }, id) => app.put(`/v1/invoices/${id}`, { key, body: { tags: ['web'] } }),
  delete: ({ app, key }, id) => app.delete(`/v1/invoices/${id}`, { key }),
  issue: (place, id) => call(place, `/${id}/issue`),
  send: (place, id) => call(place, `/${id}/send`, { to: ['ana@example.com'] }),
  'mark sent': (place, id) => call(place, `/${id}/mark-sent`),
  'pay a part': (place, id) => call(place, `/${id}/payments`, cash(1)),
  'pay all': (place, id) => call(place, `/${id}/payments`, cash(121)),
  void: (place, id) => call(place, `/${id}/void`),
  annul: (place, id) => call(place, `/${id}/annul`),
  'annul with its payments': (place, id) => call(place, `/${id}/annul`, { revert_collections: true }),
  'correct by differences': (place, id) => call(place, `/${id}/corrective`, differences),
  'correct by substitution': (place, id) => call(place, `/${id}/corrective`, substitution),
  substitute,
  duplicate: (place, id) => call(place, `/${id}/duplicate`),
};

const no = 'invalid_status_transition';
const issuedCells = [no, 'issued', no, no, 'issued', 'sent', 'issued', 'paid', 'voided', 'annulled'];
const openEnd = ['annulled', 'rectified', 'rectified', 'substituted'];
/** The new state or the refusal's code, in the order of `moves`. */
const expected: Record<string, string[]> = {
  draft: ['draft', 'draft', 'gone', 'issued', 'issued', 'sent', no, no, no, no, no, no, no, no, 'draft'],
  issued: [...issuedCells, ...openEnd, 'issued'],
  sent: [no, 'sent', no, no, 'sent', 'sent', 'sent', 'paid', 'voided', 'annulled', ...openEnd, 'sent'],
  overdue: [
    ...[no, 'overdue', no, no, 'overdue', 'overdue', 'overdue', 'paid', 'voided', 'annulled'],
    ...openEnd,
    'overdue',
  ],
  paid: [
    ...[no, 'paid', no, no, 'paid', 'paid', 'business_rule_violation', 'business_rule_violation', no, no],
    ...openEnd,
    'paid',
  ],
};
for (const closed of ['rectified', 'substituted', 'voided', 'annulled']) {
  expected[closed] = [no, closed, ...Array.from({ length: 12 }, () => no), closed];
}

for (const [state, make] of Object.entries(given)) {
  test(`given an invoice that is ${state}, when each move is tried, then it is made or refused as the table says`, async (t) => {
    const app = await startApp(t);
    app.clock.set(today);
    const { live_key: key } = await app.given.company();
    const client = await app.post('/v1/clients', { key, body: { name: 'Norte SL' } });
    const place = { app, key, client_id: client.body.data.id };
    const seen: [string, string][] = [];
    for (const [name, move] of Object.entries(moves)) {
      // A new series each time, because an overdue ticket has an earlier date than the others.
      const series = await app.post('/v1/series', {
        key,
        body: { code: `S${seen.length}`, document_type: 'simplified_invoice' },
      });
      await app.post(`/v1/series/${series.body.data.id}/set-default`, { key });
      const id = await make(place);
      const before = await app.get(`/v1/invoices/${id}`, { key });
      assert.equal(before.body.data.status, state);
      const answer = await move(place, id);
      const now = await app.get(`/v1/invoices/${id}`, { key });
      if (answer.status >= 400) {
        assert.equal(answer.status, answer.body.error.code === no ? 409 : 422, answer.text);
        assert.deepEqual(now.body, before.body, `${name} was refused and changed it`);
      }
      const left = now.status === 404 ? 'gone' : now.body.data.status;
      seen.push([name, answer.status >= 400 ? answer.body.error.code : left]);
    }
    assert.deepEqual(
      seen,
      Object.keys(moves).map((name, at) => [name, expected[state]![at]]),
    );

    const id = await make(place);
    const outcome = (name: string) => seen.find(([move]) => move === name)![1];
    const annul = await app.get(`/v1/invoices/${id}/can-annul`, { key });
    assert.equal(annul.body.data.can_annul, outcome('annul with its payments') === 'annulled');
    assert.equal(annul.body.data.reasons.length, annul.body.data.can_annul ? 0 : 1);
    const issue = await call(place, `/${id}/can-issue`);
    assert.equal(issue.body.data.can_issue, outcome('issue') === 'issued');
    assert.deepEqual(
      issue.body.data.reasons.map((reason: { code: string }) => reason.code),
      state === 'draft' ? [] : [no],
    );
  });
}

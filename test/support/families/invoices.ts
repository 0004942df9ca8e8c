/** Invoices, as `checkFamily` needs them. */
import assert from 'node:assert/strict';
import { invoices } from '../../../src/modules/invoices/invoices.family.ts';
import { startApp } from '../../harness.ts';
import type { FamilySetup } from '../family-setup.ts';
import { act, type Cell, type Desk, type Move, plainMoves } from '../family-states.ts';

const overpaid = [422, 'business_rule_violation'] as const;
const cash = (amount: number) => ({ amount, payment_method: 'cash' });
const differences = { correction: { type: 'differences' } };
const trade = [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }];

const substitute: Move['call'] = ({ app, key, client }, id) =>
  app.post('/v1/invoices/substitute-simplified', {
    key,
    body: { simplified_invoice_uuids: [id], client_id: client.id },
  });

/** What brings an issued ticket there. */
const invoiceWays: Record<string, Move['call'] | undefined> = {
  sent: act('mark-sent'),
  paid: act('payments', cash(121)),
  rectified: act('corrective', differences),
  substituted: substitute,
  voided: act('void'),
  annulled: act('annul'),
};

async function makeInvoices(desk: Desk, status: string, count: number): Promise<string[]> {
  const { app, key } = desk;
  const days = status === 'overdue' ? { issued_on: '2026-05-01', due_on: '2026-05-10' } : {};
  const one = { type: 'F2', lines: trade, ...days, options: { issue: status !== 'draft' } };
  const made = await app.post('/v1/invoices/bulk-create', {
    key,
    body: { invoices: Array.from({ length: count }, () => one) },
  });
  assert.equal(made.status, 200, made.text);
  const ids: string[] = made.body.data.invoices.map((invoice: { id: string }) => invoice.id);
  const way = invoiceWays[status];
  for (const id of way ? ids : []) {
    const answer = await way!(desk, id);
    assert.ok(answer.status < 300, answer.text);
  }
  return ids;
}

const invoiceMoves: Record<string, Move['call']> = {
  issue: act('issue'),
  send: act('send', { to: ['ana@example.com'] }),
  'mark-sent': act('mark-sent'),
  'pay a part': act('payments', cash(1)),
  'pay all': act('payments', cash(121)),
  void: act('void'),
  annul: act('annul'),
  'annul with its payments': act('annul', { revert_collections: true }),
  'correct by differences': act('corrective', differences),
  'correct by substitution': act('corrective', { correction: { type: 'substitution' } }),
  substitute,
  duplicate: act('duplicate'),
};

const open = (status: string): Record<string, Cell> => ({
  label: status,
  send: status,
  'mark-sent': status === 'issued' ? 'sent' : status,
  'annul with its payments': 'annulled',
  'correct by differences': 'rectified',
  'correct by substitution': 'rectified',
  substitute: 'substituted',
  duplicate: status,
});
const unpaid = (status: string): Record<string, Cell> => ({
  ...open(status),
  'pay a part': status,
  'pay all': 'paid',
  void: 'voided',
  annul: 'annulled',
});
const closed = (status: string): Record<string, Cell> => ({ label: status, duplicate: status });

const numbered = ['number_assigned', 'simplified_created'];
const invoiceEvents: Record<string, readonly string[]> = {
  edit: ['updated'],
  label: ['updated'],
  delete: ['deleted'],
  issue: numbered,
  'pay all': ['paid'],
  void: ['cancelled'],
  annul: ['annulled'],
  'annul with its payments': ['annulled'],
  'correct by differences': ['rectified'],
  'correct by substitution': ['rectified'],
  substitute: ['simplified_substituted'],
};

export const invoiceSetup: FamilySetup = {
  family: invoices,
  start: startApp,
  numbering_move: 'issue',
  edit_when_numbered: 409,
  bodies: {
    payments: cash(1),
    corrective: differences,
  },
  sorts: ['total', 'number'],
  states: {
    now: '2026-05-20T10:00:00Z',
    make: makeInvoices,
    moves: {
      ...plainMoves,
      ...Object.fromEntries(
        Object.entries(invoiceMoves).map(([name, call]) => [name, { call, audit: null }]),
      ),
    },
    cells: {
      // First, because they have an earlier day in the same series.
      overdue: unpaid('overdue'),
      draft: {
        edit: 'draft',
        label: 'draft',
        delete: 'gone',
        issue: 'issued',
        send: 'issued',
        'mark-sent': 'sent',
        duplicate: 'draft',
      },
      issued: unpaid('issued'),
      sent: unpaid('sent'),
      paid: { ...open('paid'), 'pay a part': overpaid, 'pay all': overpaid },
      rectified: closed('rectified'),
      substituted: closed('substituted'),
      voided: closed('voided'),
      annulled: closed('annulled'),
    },
    events(from, move) {
      const names = invoiceEvents[move] ?? [];
      const sent = from === 'draft' && ['send', 'mark-sent'].includes(move) ? numbered : names;
      const marked = move === 'mark-sent' && ['draft', 'issued', 'overdue', 'paid'].includes(from);
      return [...sent, ...(marked ? ['sent'] : [])].map((name) => `invoice.${name}`);
    },
  },
};

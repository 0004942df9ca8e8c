/** The five families of sales documents, as the cases of `checkFamily` need them. */
import assert from 'node:assert/strict';
import { deliveryNotes } from '../../src/modules/delivery-notes/index.ts';
import { invoices } from '../../src/modules/invoices/invoices.family.ts';
import { proformas } from '../../src/modules/proformas/index.ts';
import { quotes } from '../../src/modules/quotes/index.ts';
import { recurringInvoices } from '../../src/modules/recurring-invoices/index.ts';
import type { Family } from '../../src/modules/sales/index.ts';
import { startApp } from '../harness.ts';
import type { FamilySetup } from './family-setup.ts';
import {
  act,
  type Cell,
  type Desk,
  makeEach,
  type Move,
  plainMoves,
  type StateCases,
} from './family-states.ts';
import { signatureImage } from './notes.ts';

const today = '2026-11-22';
const noon = `${today}T12:00:00Z`;

/** Moves whose word in the path is their name in the audit log, but for the hyphens. */
function movesOf(words: Readonly<Record<string, object | undefined>>): Record<string, Move> {
  return Object.fromEntries(
    Object.entries(words).map(([word, body]) => [
      word,
      { call: act(word, body), audit: word.replaceAll('-', '_') },
    ]),
  );
}

/** A pro-forma that becomes pending says so by its number, and later by `updated`. */
function offerEvents(object: 'quote' | 'proforma'): StateCases['events'] {
  const is_quote = object === 'quote';
  const said: Record<string, string> = {
    accept: is_quote ? 'approved' : 'accepted',
    reject: 'rejected',
    cancel: 'cancelled',
    convert: is_quote ? 'converted' : 'converted_to_invoice',
    edit: 'updated',
    label: 'updated',
    delete: 'deleted',
  };
  return (from, move) => {
    const is_numbered = from === 'draft' && ['mark-pending', 'send', 'accept'].includes(move);
    const enters = move === 'mark-pending' || (move === 'send' && from === 'draft');
    const pending = is_quote ? ['marked_as_pending'] : from === 'draft' ? [] : ['updated'];
    const names = [
      ...(is_numbered ? ['number_assigned'] : []),
      ...(enters ? pending : []),
      ...(said[move] === undefined ? [] : [said[move]]),
    ];
    return names.map((name) => `${object}.${name}`);
  };
}

const offerCells: StateCases['cells'] = {
  draft: {
    'mark-pending': 'pending',
    send: 'pending',
    accept: 'accepted',
    edit: 'draft',
    label: 'draft',
    delete: 'gone',
  },
  pending: {
    send: 'pending',
    accept: 'accepted',
    reject: 'rejected',
    cancel: 'cancelled',
    convert: 'converted',
    edit: 'pending',
    label: 'pending',
  },
  accepted: {
    'mark-pending': 'pending',
    send: 'accepted',
    cancel: 'cancelled',
    convert: 'converted',
    label: 'accepted',
  },
  rejected: { 'mark-pending': 'pending', cancel: 'cancelled', label: 'rejected' },
  cancelled: { label: 'cancelled' },
  converted: { label: 'converted' },
  expired: { 'mark-pending': 'pending', cancel: 'cancelled', label: 'expired' },
};

/** Moves after the number that a creation takes at once. */
const offerWays: Record<string, readonly string[]> = {
  pending: [],
  accepted: ['accept'],
  rejected: ['reject'],
  cancelled: ['cancel'],
  converted: ['convert'],
};
const pending = { options: { mark_pending: true } };

async function makeOffers(desk: Desk, status: string, count: number): Promise<string[]> {
  if (status === 'draft') return makeEach(desk, count, []);
  if (status !== 'expired') return makeEach(desk, count, offerWays[status]!, pending);
  const ids = await makeEach(desk, count, [], { ...pending, valid_until: today });
  desk.app.clock.set('2026-11-23T00:00:10+01:00');
  await desk.app.service.worker.runDue(desk.company.company_id);
  return ids;
}

function offerSetup(family: Family, object: 'quote' | 'proforma'): FamilySetup {
  return {
    family,
    start: startApp,
    numbering_move: 'mark-pending',
    numbering_ways: { '': pending, 'mark-pending': undefined, send: undefined, accept: undefined },
    edit_when_numbered: 200,
    sorts: ['total', 'number', 'valid_until'],
    last_without: {
      field: 'valid_until',
      sooner: { valid_until: '2199-01-01' },
      later: { valid_until: '2199-02-01' },
      none: { valid_until: null },
    },
    states: {
      now: noon,
      make: makeOffers,
      moves: {
        ...plainMoves,
        ...movesOf({
          'mark-pending': { valid_until: '2027-01-31' },
          send: undefined,
          accept: undefined,
          reject: undefined,
          cancel: undefined,
          convert: undefined,
        }),
      },
      cells: offerCells,
      events: offerEvents(object),
    },
  };
}

const noteWays: Record<string, (string | readonly [string, object])[]> = {
  pending: [],
  delivered: ['mark-delivered'],
  signed: [['sign', { signed_by: 'Eva Ruiz', signature_image: signatureImage }]],
  cancelled: ['cancel'],
  invoiced: [['convert', { target: 'invoice' }]],
};

const noteSetup: FamilySetup = {
  family: deliveryNotes,
  start: startApp,
  numbering_move: 'mark-pending',
  numbering_ways: {
    '': pending,
    'mark-pending': undefined,
    'mark-delivered': undefined,
    send: undefined,
    cancel: undefined,
    change_status: { status: 'delivered' },
  },
  edit_when_numbered: 200,
  delete_when_numbered: 200,
  bodies: {
    sign: { signed_by: 'Eva Ruiz' },
    convert: { target: 'invoice' },
    change_status: { status: 'pending' },
  },
  sorts: ['number', 'delivery_date'],
  last_without: {
    field: 'delivery_date',
    sooner: { delivery_date: '2026-03-02' },
    later: { delivery_date: '2026-03-05' },
    none: {},
  },
  states: {
    make: (desk, status, count) =>
      status === 'draft' ? makeEach(desk, count, []) : makeEach(desk, count, noteWays[status]!, pending),
    moves: {
      ...plainMoves,
      delete: { ...plainMoves.delete, audit: 'delete' },
      ...movesOf({
        'mark-pending': undefined,
        'mark-delivered': {},
        sign: { signed_by: 'Eva Ruiz' },
        cancel: { reason: 'Duplicado' },
        convert: { target: 'invoice' },
        send: { to: ['a@example.com'] },
      }),
    },
    cells: {
      draft: {
        'mark-pending': 'pending',
        'mark-delivered': 'delivered',
        cancel: 'cancelled',
        send: 'pending',
        edit: 'draft',
        label: 'draft',
        delete: 'gone',
      },
      pending: {
        'mark-delivered': 'delivered',
        sign: 'signed',
        cancel: 'cancelled',
        convert: 'invoiced',
        send: 'pending',
        edit: 'pending',
        label: 'pending',
        delete: 'gone',
      },
      delivered: {
        sign: 'signed',
        cancel: 'cancelled',
        convert: 'invoiced',
        send: 'delivered',
        edit: 'delivered',
        label: 'delivered',
        delete: 'gone',
      },
      signed: { cancel: 'cancelled', convert: 'invoiced', send: 'signed', label: 'signed' },
      cancelled: { label: 'cancelled', delete: 'gone' },
      invoiced: { send: 'invoiced', label: 'invoiced' },
    },
    events(from, move, to) {
      const own: Record<string, string> = {
        sign: 'signed',
        convert: 'converted',
        edit: 'updated',
        label: 'updated',
      };
      const named = own[move] === undefined ? [] : [`delivery_note.${own[move]}`];
      return from === to || to === 'gone' ? named : [...named, 'delivery_note.status_changed'];
    },
  },
};

const rule = [422, 'business_rule_violation'] as const;
const active: Cell = [422, 'recurring_invoice_already_active'];
const paused: Cell = [422, 'recurring_invoice_already_paused'];
const cancelled: Cell = [422, 'recurring_invoice_cancelled_cannot_resume'];
const completed: Cell = [422, 'recurring_invoice_completed_cannot_resume'];

const recurringEvents: Record<string, string> = {
  pause: 'paused',
  resume: 'activated',
  activate: 'activated',
  cancel: 'cancelled',
  emit: 'executed',
  edit: 'updated',
  label: 'updated',
  delete: 'deleted',
};

const recurringSetup: FamilySetup = {
  family: recurringInvoices,
  start: startApp,
  needs: { name: 'Alquiler local', frequency: 'monthly', starts_on: '2199-01-31' },
  born: { created: 'active', copied: 'paused' },
  numbering_move: null,
  edit_when_numbered: 409,
  sorts: ['next_run_at'],
  last_without: {
    field: 'next_run_at',
    sooner: { starts_on: '2199-01-20' },
    later: { starts_on: '2199-03-01' },
    none: { status: 'paused' },
  },
  states: {
    make(desk, status, count) {
      if (status === 'paused') return makeEach(desk, count, [], { status });
      if (status === 'completed') return makeEach(desk, count, ['emit'], { max_occurrences: 1 });
      return makeEach(desk, count, status === 'active' ? [] : [['cancel', { reason: 'Fin' }]]);
    },
    moves: {
      ...plainMoves,
      ...movesOf({
        pause: undefined,
        resume: undefined,
        cancel: { reason: 'Fin' },
        emit: undefined,
      }),
      activate: { call: act('activate'), audit: 'resume' },
    },
    cells: {
      active: {
        pause: 'paused',
        resume: active,
        activate: active,
        cancel: 'cancelled',
        emit: 'active',
        edit: 'active',
        label: 'active',
        delete: 'gone',
      },
      paused: {
        pause: paused,
        resume: 'active',
        activate: 'active',
        cancel: 'cancelled',
        emit: 'paused',
        edit: 'paused',
        label: 'paused',
        delete: 'gone',
      },
      completed: {
        pause: rule,
        resume: completed,
        activate: completed,
        emit: rule,
        label: 'completed',
      },
      cancelled: {
        pause: rule,
        resume: cancelled,
        activate: cancelled,
        emit: rule,
        label: 'cancelled',
        delete: 'gone',
      },
    },
    holds: ({ status, next_occurrence_on }) => assert.equal(next_occurrence_on === null, status !== 'active'),
    events: (_from, move) => [`recurring_invoice.${recurringEvents[move]}`],
  },
};

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
      paid: { ...open('paid'), 'pay a part': rule, 'pay all': rule },
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

export const salesFamilies: readonly FamilySetup[] = [
  invoiceSetup,
  offerSetup(quotes, 'quote'),
  offerSetup(proformas as unknown as Family, 'proforma'),
  noteSetup,
  recurringSetup,
];

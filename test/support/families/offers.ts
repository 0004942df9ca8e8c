/** Quotes and pro-forma invoices, as `checkFamily` needs them. */
import type { Family } from '../../../src/modules/sales/index.ts';
import { startApp } from '../../harness.ts';
import { type FamilySetup, pending } from '../family-setup.ts';
import { type Desk, makeEach, movesOf, plainMoves, type StateCases } from '../family-states.ts';

const today = '2026-11-22';
const noon = `${today}T12:00:00Z`;

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

async function makeOffers(desk: Desk, status: string, count: number): Promise<string[]> {
  if (status === 'draft') return makeEach(desk, count, []);
  if (status !== 'expired') return makeEach(desk, count, offerWays[status]!, pending);
  const ids = await makeEach(desk, count, [], { ...pending, valid_until: today });
  desk.app.clock.set('2026-11-23T00:00:10+01:00');
  await desk.app.service.worker.runDue(desk.company.company_id);
  return ids;
}

export function offerSetup(family: Family, object: 'quote' | 'proforma'): FamilySetup {
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

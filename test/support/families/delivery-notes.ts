/** Delivery notes, as `checkFamily` needs them. */
import { deliveryNotes } from '../../../src/modules/delivery-notes/index.ts';
import { startApp } from '../../harness.ts';
import { type FamilySetup, pending } from '../family-setup.ts';
import { makeEach, movesOf, plainMoves } from '../family-states.ts';
import { signatureImage } from '../notes.ts';

const noteWays: Record<string, (string | readonly [string, object])[]> = {
  pending: [],
  delivered: ['mark-delivered'],
  signed: [['sign', { signed_by: 'Eva Ruiz', signature_image: signatureImage }]],
  cancelled: ['cancel'],
  invoiced: [['convert', { target: 'invoice' }]],
};

export const noteSetup: FamilySetup = {
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

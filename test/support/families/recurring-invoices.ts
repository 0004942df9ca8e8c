/** Recurring invoices, as `checkFamily` needs them. */
import assert from 'node:assert/strict';
import { recurringInvoices } from '../../../src/modules/recurring-invoices/index.ts';
import { startApp } from '../../harness.ts';
import type { FamilySetup } from '../family-setup.ts';
import { act, type Cell, makeEach, movesOf, plainMoves } from '../family-states.ts';

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

export const recurringSetup: FamilySetup = {
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

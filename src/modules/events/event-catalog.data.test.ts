import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventCatalog } from './event-catalog.data.ts';

/** Heading, category, actions, and their number. */
const wanted = [
  [
    'Invoices',
    'invoice',
    `created auto_created corrective_auto_created subscription_auto_created updated sent paid cancelled annulled
     overdue deleted number_assigned rectified email_sent email_failed payment_reminder_sent simplified_created
     simplified_substituted substituted_by_complete verifactu_submitted verifactu_failed metadata_changed`,
    22,
  ],
  [
    'Quotes',
    'quote',
    `created updated deleted approved rejected converted expired marked_as_pending cancelled number_assigned
     metadata_changed email_sent email_failed`,
    13,
  ],
  [
    'Pro-forma',
    'proforma',
    `created updated deleted accepted rejected cancelled expired converted_to_invoice number_assigned
     metadata_changed email_sent email_failed`,
    12,
  ],
  [
    'Delivery notes',
    'delivery_note',
    'created updated status_changed signed converted email_sent email_failed',
    7,
  ],
  [
    'Purchase invoices',
    'purchase_invoice',
    'created updated paid payment_registered cancelled metadata_changed',
    6,
  ],
  [
    'Recurring invoices',
    'recurring_invoice',
    'created activated paused updated deleted completed executed failed cancelled metadata_changed',
    10,
  ],
  ['Clients and products', 'client', 'created updated deleted metadata_changed', 4],
  ['Clients and products', 'product', 'created updated', 2],
  [
    'Series and taxes',
    'series',
    `created updated deleted archived unarchived marked_as_default demoted_from_default number_consumed year_reset
     month_reset`,
    10,
  ],
  ['Series and taxes', 'tax', 'metadata_changed validity_changed external_reference_changed', 3],
  ['FacturaE', 'facturae', 'face_submitted face_status_changed face_cancellation_requested', 3],
  ['Payments', 'payment', 'received reversed', 2],
  ['Payments', 'payout', 'reconciled', 1],
  ['Automations', 'automation_rule', 'activated paused auto_paused', 3],
  ['Automations', 'automation_run', 'started completed failed step_dead_lettered', 4],
  ['Orders', 'order', 'invoiced refunded', 2],
] as const;

for (const [heading, category, actions, count] of wanted) {
  test(`${heading}: ${category} has exactly its ${count} events`, () => {
    const found = eventCatalog.filter((item) => item.category === category).map((item) => item.name);
    const expected = actions.split(/\s+/).map((action) => `${category}.${action}`);
    assert.deepEqual(found, expected);
    assert.equal(found.length, count);
  });
}

test('there are 104 events and no other category', () => {
  assert.equal(eventCatalog.length, 104);
  assert.deepEqual(
    new Set(eventCatalog.map((item) => item.category)),
    new Set(wanted.map(([, category]) => category)),
  );
});

test('webhook.ping is not an event of the catalogue', () => {
  assert.ok(!eventCatalog.some((item) => item.category === 'webhook'));
});

test('every event says what happened in one line of its own, in both languages', () => {
  for (const language of ['es', 'en'] as const) {
    const lines = eventCatalog.map(({ description }) => description[language]);
    for (const line of lines) assert.match(line, /^\p{Lu}[^\n]+\.$/u);
    assert.equal(new Set(lines).size, eventCatalog.length);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '../../kernel/schema.ts';
import { type EventDefinitions, Reference } from './define-events.ts';
import { eventCatalog } from './event-catalog.data.ts';
import { makeEventList } from './make-event-list.ts';

const id = '0199c4a8-0000-7000-8000-000000000001';
const now = new Date('2026-11-21T10:00:00.000Z');

test('an event is available when it is emitted, and only then', () => {
  const { items } = makeEventList([{ 'quote.created': {} }], ['invoice.paid']);
  assert.deepEqual(
    items.map(({ name }) => name),
    eventCatalog.map(({ name }) => name),
  );
  const available = items.filter(({ status }) => status === 'available');
  assert.deepEqual(
    available.map(({ name }) => name),
    ['invoice.paid'],
  );
});

test('the data of an event is what its module declares, or a reference', () => {
  const data = Type.Object({ series: Reference, at: Type.String({ format: 'instant' }) });
  const list = makeEventList([{ 'series.number_consumed': { data } }], []);
  assert.equal(list.data('series.number_consumed'), data);
  assert.deepEqual(list.sample('series.number_consumed', id, now), { series: { id }, at: now.toISOString() });
  assert.deepEqual(list.sample('delivery_note.signed', id, now), { delivery_note: { id } });
});

test('what to do for each event is told in the order of the catalogue', () => {
  const trigger = async () => undefined;
  const list = makeEventList(
    [
      { 'tax.validity_changed': { trigger }, 'series.year_reset': { other_way: 'Wait.' } },
      { 'invoice.paid': { trigger } },
    ],
    [],
  );
  assert.deepEqual(Object.keys(list.triggers), ['invoice.paid', 'tax.validity_changed']);
  assert.deepEqual(list.other_ways, { 'series.year_reset': 'Wait.' });
});

const faults: [string, EventDefinitions[], string[], RegExp][] = [
  [
    'an event of two modules',
    [{ 'tax.validity_changed': {} }, { 'tax.validity_changed': {} }],
    [],
    /Two modules declare tax\.validity_changed/,
  ],
  [
    'an emitted event of no catalogue',
    [],
    ['invoice.paid', 'invoice.won'],
    /invoice\.won is emitted and not in the catalogue/,
  ],
];

for (const [name, declared, emitted, message] of faults) {
  test(`${name} is refused`, () => assert.throws(() => makeEventList(declared, emitted), { message }));
}

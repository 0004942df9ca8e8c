import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { eventFaults } from '../../../test/support/event-faults.ts';
import { emittedEventNames, eventList } from '../../modules/event-list.ts';
import { eventCatalog } from '../../modules/events/index.ts';
import { catalog } from '../../modules/catalog.ts';
import { makeOpenApi } from './document.ts';
import { makeEventSchemas } from './event-schemas.ts';

const id = '0199c4a8-0000-7000-8000-000000000001';
const now = new Date('2026-11-21T10:00:00.000Z');

const written = (type: string, data: Record<string, unknown>) => ({
  id,
  type,
  aggregate_id: id,
  sequence: 1,
  api_version: '2026-10-01',
  livemode: true,
  data,
  correlation_id: null,
  created_at: now.toISOString(),
});

const delivered = (type: string, data: unknown) => {
  const { created_at, ...rest } = written(type, {});
  return { ...rest, object: 'event', created: created_at, data, test: false };
};

// A receiver's validator may not know formats.
const ajv = new Ajv2020({ strict: true, strictRequired: false, validateFormats: false });
ajv.addVocabulary(['x-status']);
const schemas = makeEventSchemas() as { $defs: Record<string, unknown>; oneOf: { $ref: string }[] };
ajv.addSchema(schemas, 'events');

test('every event of the catalogue, and the ping, has a schema, and there is no other', () => {
  const names = [...eventCatalog.map(({ name }) => name as string), 'webhook.ping'];
  assert.deepEqual(Object.keys(schemas.$defs).sort(), ['event', ...names].sort());
  assert.deepEqual(
    schemas.oneOf.map(({ $ref }) => $ref),
    names.map((name) => `#/$defs/${name}`),
  );
});

for (const { name } of eventCatalog) {
  test(`${name}: its sample keeps to its schema, printed and checked; other data does not`, () => {
    const data = eventList.sample(name, id, now);
    if (emittedEventNames.includes(name)) assert.doesNotMatch(JSON.stringify(data), /""/, 'a text is empty');
    assert.deepEqual(eventFaults(written(name, data)), []);
    const validate = ajv.getSchema(`events#/$defs/${name}`)!;
    assert.ok(validate(delivered(name, data)), JSON.stringify(validate.errors));
    assert.ok(ajv.validate('events', delivered(name, data)), ajv.errorsText());
    for (const wrong of [{}, { [Object.keys(data)[0]!]: 7 }, null]) {
      assert.equal(validate(delivered(name, wrong)), false, JSON.stringify(wrong));
    }
    assert.equal(validate({ ...delivered(name, data), type: 'invoice.of_another_kind' }), false);
  });
}

/** Faults that the check of emitted events must find. */
const faulty: [string, ReturnType<typeof written>, RegExp][] = [
  ['a name of no catalogue', written('invoice.vanished', { invoice: { id } }), /not in the catalogue/],
  ['no data', written('invoice.paid', {}), /data\.invoice/],
  ['an id that is none', written('invoice.paid', { invoice: { id: '7' } }), /data\.invoice\.id/],
  ['a key too many', written('invoice.paid', { invoice: { id }, total: 1 }), /data\.total is not in/],
  [
    'a key too many inside',
    written('invoice.paid', { invoice: { id, total: 1 } }),
    /invoice\.total is not in/,
  ],
  ['a reversal told thinly', written('payment.reversed', { payment: { id } }), /data\./],
];

for (const [name, event, fault] of faulty) {
  test(`an emitted event with ${name} is found`, () => {
    const faults = eventFaults(event);
    assert.ok(
      faults.some((text) => fault.test(text)),
      faults.join('\n'),
    );
  });
}

test('a ping is an event of no resource', () => {
  const ping = {
    ...delivered('webhook.ping', { webhook_endpoint: { id } }),
    aggregate_id: null,
  };
  assert.ok(ajv.validate('events', ping), ajv.errorsText());
  assert.equal(ajv.validate('events', { ...ping, aggregate_id: id }), false);
});

test('the OpenAPI document tells of every event under webhooks, with the headers that verify it', () => {
  const { webhooks, components } = makeOpenApi(catalog, { public_url: 'https://folio.example' }) as {
    webhooks: Record<string, { post: { parameters: { $ref: string }[] } }>;
    components: { parameters: Record<string, { name: string }> };
  };
  assert.deepEqual(Object.keys(webhooks), [...eventCatalog.map(({ name }) => name), 'webhook.ping']);
  const names = webhooks['invoice.paid']!.post.parameters.map(
    ({ $ref }) => components.parameters[$ref.split('/').at(-1)!]!.name,
  );
  for (const name of ['Service-Signature', 'webhook-signature', 'Service-Event-Id', 'Idempotency-Key'])
    assert.ok(names.includes(name), name);
});

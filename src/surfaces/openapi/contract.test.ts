/**
 * test/golden/openapi/contract.br holds every fact of an earlier document: operations, members, limits, codes.
 * Today's may add facts, but lose none and ask no more of a caller. FOLIO_TEST_UPDATE=1 rewrites the file.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { compareFacts, demandsMore } from '../../../scripts/compare-openapi.ts';
import { contractFacts } from '../../../scripts/contract-facts.ts';
import { packFacts, unpackFacts } from '../../../test/support/contract-file.ts';
import { catalog } from '../../modules/catalog.ts';
import { makeOpenApi } from './document.ts';
import { readExampleAnswers } from './examples.ts';

const golden = new URL('../../../test/golden/openapi/contract.br', import.meta.url);

/** Intended differences; `now` says how today's document states the fact. */
const exceptions: readonly { facts: RegExp; reason: string; now?: (fact: string) => string }[] = [
  {
    facts:
      /^on_(quote|proforma|delivery_note)_(email_sent|email_failed|converted|converted_to_invoice) · .* · data\.(email|invoice) · required$/,
    reason: 'An event that nothing emitted before says more.',
  },
  {
    facts:
      /^on_(delivery_note_status_changed|recurring_invoice_(executed|failed)) · .* · data\.(from|to|invoice|error|occurrence_on) · required$/,
    reason: 'An event that nothing emitted before says more.',
  },
  {
    facts: /^on_purchase_invoice_payment_registered · .* · data\.payment · required$/,
    reason: 'An event that nothing emitted before says more.',
  },
  {
    facts: /^on_series_number_consumed · .* · data\.invoice · required$/,
    reason: 'Other documents than invoices take numbers.',
  },
  {
    facts: /^create_(client|supplier) · body · .* · name · required$/,
    reason: 'A contact that gets another role by contact_id has a name.',
  },
  {
    facts: /^create_invoice · 201 · application\/json · data<dry_run>/,
    reason: 'A dry run creates nothing: it answers 200.',
  },
  {
    facts: /^create_invoice · 201 · application\/json · data<invoice>/,
    reason: 'A creation answers the invoice alone.',
    now: (fact) => fact.replace('data<invoice>', 'data'),
  },
  {
    facts: /^(get|update)_company · \S+ · .*logo.* · pattern /,
    reason: 'A logo is a PNG or a JPEG: SVG is no longer taken.',
  },
  {
    facts: / · pattern "\^\[\^\\\\u0000-/,
    reason: 'A name has one line: it is printed, logged and shown on terminals.',
  },
  {
    facts: /^register_invoice_payment · body · .* · amount · exclusiveMinimum 0$/,
    reason: 'A negative amount gives back what is owed to the client.',
  },
  {
    facts: /^list_\w+ · query · \w+\[(gte|lte|gt|lt)\] · format "(date-time|moment)"$/,
    reason: 'A time filter takes days beside instants.',
    now: (fact) => fact.replace('date-time', 'moment'),
  },
  {
    facts: /^put_verifactu_certificate · body · .*pkcs12_base64 · pattern /,
    reason: 'The same texts, by a pattern that takes linear time (ADR 34).',
  },
  {
    facts: / · \d{3} · application\/problem\+json · /,
    reason: 'Told by the schema Error in words: of two media types generators ask which one came (ADR 77).',
  },
  {
    facts:
      /^subsanar_verifactu_record · 201 · .* · data\.new_record_id · |^retry_verifactu_record · 409 · .* · enum "max_retries_exceeded"$/,
    reason: 'Of an earlier version, whose document has it.',
  },
];

function unexplained(facts: readonly string[], today: ReadonlySet<string>): string[] {
  const is_explained = (fact: string) =>
    exceptions.some(({ facts: told, now }) => told.test(fact) && (!now || today.has(now(fact))));
  return facts.filter((fact) => !is_explained(fact));
}

test('the document keeps every fact of the contract and asks no more of a caller', () => {
  const document = makeOpenApi(catalog, {
    public_url: 'http://127.0.0.1:3000',
    answers: readExampleAnswers(),
  });
  const facts = contractFacts(document);
  if (process.env.FOLIO_TEST_UPDATE === '1') writeFileSync(golden, packFacts(facts));
  const kept = unpackFacts(readFileSync(golden));
  const today = new Set(facts);
  const shown_max = 50;
  assert.deepEqual(unexplained(compareFacts(kept, facts).lost, today).slice(0, shown_max), [], 'Lost');
  assert.deepEqual(unexplained(demandsMore(kept, facts), today).slice(0, shown_max), [], 'Asked besides');
});

test('packed facts come back as they were', () => {
  const facts = ['a · 200 · application/json · (all) · type object', 'a · route GET /a', 'b · route GET /b'];
  assert.deepEqual(unpackFacts(packFacts(facts)), facts);
});

const document = (body: object, codes: readonly string[] = ['a']) => ({
  paths: {
    '/v1/things': {
      post: {
        operationId: 'create_thing',
        requestBody: { content: { 'application/json': { schema: body } } },
        responses: { 422: { content: { 'application/json': { schema: { enum: codes } } } } },
      },
    },
  },
});

const text = { type: 'string', maxLength: 5 };
const before = document({ type: 'object', properties: { name: text } }, ['a', 'b']);

const changes: [name: string, after: object, lost: number, more: number][] = [
  ['the same', before, 0, 0],
  [
    'the same by reference',
    {
      ...document({ $ref: '#/components/schemas/Thing' }, ['a', 'b']),
      components: {
        schemas: {
          Thing: {
            allOf: [{ type: 'object' }, { properties: { name: { $ref: '#/components/schemas/Name' } } }],
          },
          Name: text,
        },
      },
    },
    0,
    0,
  ],
  ['a code lost', document({ type: 'object', properties: { name: text } }), 1, 0],
  ['a member lost', document({ type: 'object' }, ['a', 'b']), 2, 0],
  [
    'a member that must be sent',
    document({ type: 'object', required: ['name'], properties: { name: text } }, ['a', 'b']),
    0,
    1,
  ],
  [
    'a member that may be sent, with limits',
    document({ type: 'object', properties: { name: text, note: text } }, ['a', 'b']),
    0,
    0,
  ],
  [
    'a narrower member',
    document({ type: 'object', properties: { name: { ...text, minLength: 1 } } }, ['a', 'b']),
    0,
    1,
  ],
  [
    'no other members',
    document({ type: 'object', additionalProperties: false, properties: { name: text } }, ['a', 'b']),
    0,
    1,
  ],
  [
    'a member that may also be null',
    document({ type: 'object', properties: { name: { ...text, type: ['string', 'null'] } } }, ['a', 'b']),
    0,
    0,
  ],
  ['a new code', document({ type: 'object', properties: { name: text } }, ['a', 'b', 'c']), 0, 0],
  ['no operation', { paths: {} }, 6, 0],
];

for (const [name, after, lost, more] of changes) {
  test(`a document with ${name} is told from the one before`, () => {
    const [had, has] = [contractFacts(before), contractFacts(after)];
    assert.deepEqual([compareFacts(had, has).lost.length, demandsMore(had, has).length], [lost, more]);
  });
}

/**
 * An operator learns at the command line which companies have no address yet (RD 1619/2012, art. 6.1.e), and whose logo is
 * printed no more (ADR 24).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from 'postgres';
import { request } from 'undici';
import { readConfig } from '../../src/main/config.ts';
import { findDatabase } from '../../src/main/database.ts';
import { Installation, type Keys } from '../support/installation.ts';

const address = { line1: 'Calle Mayor, 1', postal_code: '28013', city: 'Madrid', country: 'ES' };
const create = (...more: string[]) => [
  ...['company', 'create', '--tax-id', 'B12345674', '--allow-duplicate', '--json'],
  ...more,
];

test('given companies without an address or with an SVG logo, when the service starts, then it names them', async (t) => {
  const place = await Installation.makeMigrated(t);
  const [rich, poor] = await place.runAll([
    create('--name', 'Rica SL', '--address', JSON.stringify(address)),
    create('--name', 'Pobre SL'),
  ]);
  assert.deepEqual([rich!.code, poor!.code, rich!.stderr], [0, 0, '']);
  const { company_id } = JSON.parse(poor!.stdout) as Keys;
  // As a version of before let it be named.
  await inDatabase(
    place,
    (owner) =>
      owner`
        update companies set name = ${'Pobre\u001b[31m\u202e SL'}, logo = 'data:image/svg+xml;base64,PHN2Zy8+'
         where company_id = ${company_id}`,
  );
  const service = await place.start();
  await service.says(/SVG/);
  const shown = String.raw`Pobre\\u001b\[31m\\u202e SL \(${company_id}\)`;
  assert.match(service.stdout, new RegExp(`without an address: ${shown}`));
  assert.match(service.stdout, new RegExp(`SVG logo, which is not printed: ${shown}`));
  for (const sign of ['\u001b', '\u202e']) assert.ok(!service.stdout.includes(sign));
  assert.doesNotMatch(service.stdout, /Rica SL \(/);
  assert.match(service.stdout, /company create .* --address '\{/, 'the way to make one');

  const keys = JSON.parse(rich!.stdout) as Keys;
  for (const key of [keys.live_key, keys.test_key]) {
    const { body } = await request(`${place.url}/v1/account/company`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await body.json()) as { data: { address: unknown } };
    assert.deepEqual(data.address, address);
  }
});

async function inDatabase(place: Installation, work: (owner: Sql) => Promise<unknown>): Promise<void> {
  const handle = await findDatabase(readConfig(place.environment()), () => undefined);
  const owner = handle.owner();
  try {
    await work(owner);
  } finally {
    await owner.end();
    await handle.stop();
  }
}

const wrong: [address: string, sentence: RegExp][] = [
  ['Calle Mayor, 1', /--address must be a JSON object/],
  ['[]', /--address must be a JSON object/],
  ['{"street":"Mayor"}', /--address: street: El campo no existe/],
  ['{"line1":5}', /--address: line1: Debe ser un texto/],
  ['{"country":"ZZ"}', /--address: country: /],
];
test('given an address that the API would refuse, when a company is made with it, then one sentence says why', async (t) => {
  const place = await Installation.makeMigrated(t);
  const results = await place.runAll(wrong.map(([text]) => create('--name', 'A', '--address', text)));
  for (const [index, [text, sentence]] of wrong.entries()) {
    const { code, stderr } = results[index]!;
    assert.equal(code, 2, text);
    assert.match(stderr, /^folio: [^\n]+\n$/);
    assert.match(stderr, sentence, text);
  }
});

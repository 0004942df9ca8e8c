import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStore, type SimulatorRow, type SimulatorStore } from 'aeat-simulator';
import { WorkerPlace } from '../../../test/support/worker-place.ts';
import { makeSimulatorStore } from './simulator-store.ts';

const place = await WorkerPlace.make();

const row = (number: string, systems?: string[]): SimulatorRow => ({
  key: `B00001016\t${number}\t10-03-2026`,
  issuer_nif: 'B00001016',
  number,
  issued_on: '10-03-2026',
  period: '2026-03',
  state: 'Correcta',
  error_code: null,
  request_id: '1',
  csv: 'A-1',
  origin: 'record',
  presenter_nif: 'B00001016',
  ...(systems ? { systems } : {}),
  presented_at: '2026-03-10T11:00:00.000Z',
  record: {
    operation: 'Alta',
    external_ref: null,
    flags: {},
    type: 'F1',
    description: null,
    tax_total: '21.00',
    total: '121.00',
    recipients: [],
    stamp: '2026-03-10T11:59:00+01:00',
    huella: 'A'.repeat(64),
  },
});

const stores: [what: string, store: SimulatorStore][] = [
  ['in memory', memoryStore()],
  ['in the database', makeSimulatorStore(place.open())],
];
for (const [what, store] of stores) {
  test(`given records of some systems ${what}, when systems are asked for, then those of this company are found`, async () => {
    const [one, other] = [await place.company(), await place.company()];
    await store.save(one, [row('A1', ['x\t1', 'x\t2']), row('A2', ['x\t2']), row('A3')]);
    await store.save(other, [row('A1', ['x\t3'])]);
    assert.deepEqual(await store.findSystems(one, ['x\t2', 'x\t3', 'x', "'"]), ['x\t2']);
    assert.deepEqual(await store.findSystems(other, ['x\t2', 'x\t3']), ['x\t3']);
    const [kept] = await store.find(one, [row('A1').key]);
    assert.deepEqual(kept?.systems, ['x\t1', 'x\t2']);
  });
}

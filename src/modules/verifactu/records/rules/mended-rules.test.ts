import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alta, client, exempt, foreigner, row } from '../../../../../test/support/verifactu-cases.ts';
import type { AltaContent } from '../../record.ts';
import { mendedFaults } from './mended-rules.ts';

const told = (change: Partial<AltaContent>) =>
  mendedFaults(alta({ issued_on: '2026-05-20', ...change })).map(({ details }) => details.param);

const vatNumber = foreigner('02', null, 'FR40303265045');
const uncensused = foreigner('07', 'ES', '12345678Z');
const passport = foreigner('03', 'US', 'X1');
const council = { name: 'Ayuntamiento', tax_id: 'P2807900B', foreign_id: null } as const;
const works = { rows: [row({ regime_key: '14' })], recipients: [council], operation_on: '2026-06-20' };
const thirds = { rows: [row({ regime_key: '10', qualification: 'N1', rate: null, tax: null })] };
const deliveries = { rows: [row(), exempt('E5')] };

const cases: [string, Partial<AltaContent>, string[]][] = [
  ['an F1 to any of them', { recipients: [client, vatNumber, uncensused, passport] }, []],
  ['an R3 to a NIF or an uncensused person', { type: 'R3', recipients: [client, uncensused] }, []],
  ['an R3 to a VAT number (1191)', { type: 'R3', recipients: [vatNumber] }, ['client_id']],
  ['an R2 to a VAT number', { type: 'R2', recipients: [vatNumber, uncensused] }, []],
  ['an R2 to a passport (1192)', { type: 'R2', recipients: [client, passport] }, ['client_id']],
  ['key 10 to a NIF', thirds, []],
  ['key 10 to a VAT number (1205)', { ...thirds, recipients: [vatNumber] }, ['client_id']],
  ['key 14 to a council, later', works, []],
  ['key 14 to a company (1149)', { ...works, recipients: [client] }, ['client_id']],
  ['key 14 to a passport (1149)', { ...works, recipients: [passport] }, ['client_id']],
  ['key 14 without a day of its operation (1147)', { ...works, operation_on: null }, ['operation_on']],
  ['key 14 on the day of issue (1147)', { ...works, operation_on: '2026-05-20' }, ['operation_on']],
  ['E5 to a VAT number', { ...deliveries, recipients: [vatNumber] }, []],
  ['E5 to a NIF (1289)', deliveries, ['client_id']],
  ['E5 of the IGIC to a NIF', { rows: [exempt('E5', { tax_code: '03' })] }, []],
];
for (const [name, change, expected] of cases)
  test(`given a mended record, ${name}, then it is told as ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(told(change), expected));

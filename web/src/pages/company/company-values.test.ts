import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vatKinds } from '../../printed/documents.ts';
import { type CompanyValues, companyChange } from './company-values.ts';
import { companyWords } from './words.ts';

const address = { line1: '', line2: '', number: '', staircase: '', floor: '', door: '' };
const before = {
  ...{
    name: 'Norte SL',
    commercial_name: '',
    registry_data: '',
    email: '',
    phone: '',
    website: '',
    logo: '',
  },
  ...{ colour: '', iban: '', tax_id: 'B12345674', language: 'es', time_zone: 'Europe/Madrid' },
  address: { ...address, postal_code: '', city: '', province: '', country: '' },
  default_vat: { ...Object.fromEntries(vatKinds.map((kind) => [kind, ''])), tax_kind: 'vat' },
  default_validity_days: { quote: '30', proforma: '15' },
  reminders: { enabled: false, days_after_due: '' },
  require_addresses: false,
  simplified_invoices_enabled: true,
  public_acceptance: false,
  public_link_months: '',
} as unknown as CompanyValues;

const cases: [what: string, typed: string, sent: unknown][] = [
  ['another number', '45', 45],
  // Left out it would stay, and the form would say that it is saved.
  ['nothing', '', null],
  ['no number', 'un mes', 'un mes'],
];

for (const [what, quote, sent] of cases)
  test(`given that ${what} is typed for the days that a quote is valid, then the service is told so`, () => {
    const days = { ...before.default_validity_days, quote };
    assert.deepEqual(companyChange({ ...before, default_validity_days: days }, before, 'es'), {
      default_validity_days: { quote: sent, proforma: 15 },
    });
  });

test('given reminders that are on, when the data is shown, then their days are told, and that without any nothing is sent', () => {
  const told = (days: number[]) =>
    [companyWords.es, companyWords.en].map((words) => words.reminders_on(days));
  assert.deepEqual(told([0, 7, 30]), [
    'Días después del vencimiento: 0, 7, 30',
    'Days after the due date: 0, 7, 30',
  ]);
  assert.deepEqual(told([]), [
    'Activado, pero sin días: no se recuerda nada',
    'On, but without days: nothing is reminded',
  ]);
});

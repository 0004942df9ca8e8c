import { fullContact } from '../contact-roles.ts';
import type { Calls } from './seed.ts';

export const companiesCalls: Calls = {
  get_company: () => ({}),
  update_company: () => ({
    body: {
      name: 'Acme SL',
      commercial_name: 'Acme',
      address: fullContact.address,
      email: 'hola@acme.example',
      phone: '+34 910 000 000',
      website: 'https://acme.example',
      colour: '#aabbcc',
      language: 'es',
      time_zone: 'Europe/Madrid',
      iban: fullContact.iban,
      default_vat: { invoice: 21, quote: null },
      default_validity_days: { quote: 15 },
      reminders: { enabled: true, days_after_due: [7, 30] },
    },
  }),
};

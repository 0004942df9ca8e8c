import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PrintedLanguage, printedLanguages } from '../../../domain/printing/printed-document.ts';
import { composeEmail, type EmailSender } from './compose-email.ts';
import { type PaymentReminderFacts, paymentReminderEmail } from './payment-reminder-email.ts';

const facts: PaymentReminderFacts = {
  number: 'F2027-00012',
  due_on: '10/03/2027',
  is_past: true,
  to_pay: '121,00 €',
  iban: 'ES91 2100 0418 4502 0005 1332',
  public_url: 'https://folio.example/i/abc',
  is_attached: true,
  from_name: 'Acme',
  subject: null,
  message: null,
};

const sender: EmailSender = {
  name: 'Acme SL',
  commercial_name: 'Acme',
  tax_id: 'B12345674',
  email: 'hola@acme.example',
  phone: null,
  website: null,
  colour: null,
  language: 'es',
};

type Said = { subject: string; past: string; due: string; undated: string };
const said: Record<PrintedLanguage, Said> = {
  es: {
    subject: 'Recordatorio de pago: factura F2027-00012 · Acme',
    past: 'Le recordamos que la factura F2027-00012 venció el 10/03/2027 y tiene un importe pendiente de pago de 121,00 €.',
    due: 'Le recordamos que la factura F2027-00012 vence el 10/03/2027 y tiene un importe pendiente de pago de 121,00 €.',
    undated: 'Le recordamos que la factura F2027-00012 tiene un importe pendiente de pago de 121,00 €.',
  },
  ca: {
    subject: 'Recordatori de pagament: factura F2027-00012 · Acme',
    past: 'Us recordem que la factura F2027-00012 va vèncer el 10/03/2027 i té un import pendent de pagament de 121,00 €.',
    due: 'Us recordem que la factura F2027-00012 venç el 10/03/2027 i té un import pendent de pagament de 121,00 €.',
    undated: 'Us recordem que la factura F2027-00012 té un import pendent de pagament de 121,00 €.',
  },
  eu: {
    subject: 'Ordainketa-gogorarazpena: F2027-00012 faktura · Acme',
    past: 'Gogorarazten dizugu F2027-00012 fakturaren epemuga igaro dela (10/03/2027) eta zenbateko hau ordaintzeke dagoela: 121,00 €.',
    due: 'Gogorarazten dizugu F2027-00012 fakturaren epemuga hau dela: 10/03/2027. Ordaintzeke dagoen zenbatekoa: 121,00 €.',
    undated: 'Gogorarazten dizugu F2027-00012 fakturaren zenbateko hau ordaintzeke dagoela: 121,00 €.',
  },
  gl: {
    subject: 'Recordatorio de pagamento: factura F2027-00012 · Acme',
    past: 'Lembrámoslle que a factura F2027-00012 venceu o 10/03/2027 e ten un importe pendente de pagamento de 121,00 €.',
    due: 'Lembrámoslle que a factura F2027-00012 vence o 10/03/2027 e ten un importe pendente de pagamento de 121,00 €.',
    undated: 'Lembrámoslle que a factura F2027-00012 ten un importe pendente de pagamento de 121,00 €.',
  },
  en: {
    subject: 'Payment reminder: invoice F2027-00012 · Acme',
    past: 'This is a friendly reminder that invoice F2027-00012 was due on 10/03/2027 and that 121,00 € is still to be paid.',
    due: 'This is a friendly reminder that invoice F2027-00012 is due on 10/03/2027 and that 121,00 € is still to be paid.',
    undated: 'This is a friendly reminder that 121,00 € of invoice F2027-00012 is still to be paid.',
  },
};

const introduction = (more: Partial<PaymentReminderFacts>, language: PrintedLanguage) =>
  paymentReminderEmail({ ...facts, ...more }, language).blocks[1];

for (const language of printedLanguages) {
  test(`${language}: before the due day, after it, and without one`, () => {
    const { subject, past, due, undated } = said[language];
    assert.equal(paymentReminderEmail(facts, language).subject, subject);
    assert.deepEqual(introduction({}, language), { kind: 'paragraph', text: past });
    assert.deepEqual(introduction({ is_past: false }, language), { kind: 'paragraph', text: due });
    assert.deepEqual(introduction({ due_on: null, is_past: false }, language), {
      kind: 'paragraph',
      text: undated,
    });
  });
}

test('the whole of it, as plain text', () => {
  const { text, subject } = composeEmail(paymentReminderEmail(facts, 'es'), sender, 'live');
  assert.equal(subject, 'Recordatorio de pago: factura F2027-00012 · Acme');
  assert.equal(
    text,
    `Hola:

Le recordamos que la factura F2027-00012 venció el 10/03/2027 y tiene un importe pendiente de pago de 121,00 €.

Número: F2027-00012
Vencimiento: 10/03/2027
Pendiente de pago: 121,00 €
IBAN: ES91 2100 0418 4502 0005 1332

Puede pagarla por transferencia a esa cuenta, indicando el número de la factura.

Ver la factura:
https://folio.example/i/abc

La factura va adjunta en PDF.

Si ya la ha pagado, no tenga en cuenta este mensaje. Gracias.

-- 
Acme · B12345674 · hola@acme.example
`,
  );
});

test('what is missing is not mentioned, and the words of the sender replace ours', () => {
  const own = { subject: 'Su factura', message: 'Buenos días, Ana:\n\n¿Cómo va el pago?' };
  const content = paymentReminderEmail(
    { ...facts, ...own, due_on: null, iban: null, is_attached: false },
    'es',
  );
  assert.deepEqual(content, {
    subject: 'Su factura',
    blocks: [
      { kind: 'paragraph', text: own.message },
      {
        kind: 'facts',
        rows: [
          { label: 'Número', text: 'F2027-00012' },
          { label: 'Pendiente de pago', text: '121,00 €' },
        ],
      },
      { kind: 'button', label: 'Ver la factura', url: facts.public_url },
      { kind: 'note', text: 'Si ya la ha pagado, no tenga en cuenta este mensaje. Gracias.' },
    ],
  });
});

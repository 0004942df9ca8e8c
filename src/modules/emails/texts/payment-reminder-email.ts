import type { LabelledText, PrintedLanguage } from '../../../domain/printing/printed-document.ts';
import type { EmailPart, EmailContent } from './compose-email.ts';

export type PaymentReminderFacts = {
  number: string;
  /** In the language's format; null: no due day. */
  due_on: string | null;
  is_past: boolean;
  /** With its currency. */
  to_pay: string;
  /** In groups of four; null: paid in another way. */
  iban: string | null;
  public_url: string;
  is_attached: boolean;
  from_name: string;
  /** Replaces our own words. */
  subject: string | null;
  message: string | null;
};

type Words = {
  subject(number: string): string;
  greeting: string;
  due_past(number: string, due_on: string, to_pay: string): string;
  due(number: string, due_on: string, to_pay: string): string;
  undated(number: string, to_pay: string): string;
  number: string;
  due_on: string;
  to_pay: string;
  transfer: string;
  button: string;
  attached: string;
  paid_already: string;
};

const words: Record<PrintedLanguage, Words> = {
  es: {
    subject: (number) => `Recordatorio de pago: factura ${number}`,
    greeting: 'Hola:',
    due_past: (number, due_on, to_pay) =>
      `Le recordamos que la factura ${number} venció el ${due_on} y tiene un importe pendiente de pago de ${to_pay}.`,
    due: (number, due_on, to_pay) =>
      `Le recordamos que la factura ${number} vence el ${due_on} y tiene un importe pendiente de pago de ${to_pay}.`,
    undated: (number, to_pay) =>
      `Le recordamos que la factura ${number} tiene un importe pendiente de pago de ${to_pay}.`,
    number: 'Número',
    due_on: 'Vencimiento',
    to_pay: 'Pendiente de pago',
    transfer: 'Puede pagarla por transferencia a esa cuenta, indicando el número de la factura.',
    button: 'Ver la factura',
    attached: 'La factura va adjunta en PDF.',
    paid_already: 'Si ya la ha pagado, no tenga en cuenta este mensaje. Gracias.',
  },
  ca: {
    subject: (number) => `Recordatori de pagament: factura ${number}`,
    greeting: 'Hola,',
    due_past: (number, due_on, to_pay) =>
      `Us recordem que la factura ${number} va vèncer el ${due_on} i té un import pendent de pagament de ${to_pay}.`,
    due: (number, due_on, to_pay) =>
      `Us recordem que la factura ${number} venç el ${due_on} i té un import pendent de pagament de ${to_pay}.`,
    undated: (number, to_pay) =>
      `Us recordem que la factura ${number} té un import pendent de pagament de ${to_pay}.`,
    number: 'Número',
    due_on: 'Venciment',
    to_pay: 'Pendent de pagament',
    transfer: 'La podeu pagar per transferència a aquest compte, indicant-hi el número de la factura.',
    button: 'Veure la factura',
    attached: 'La factura va adjunta en PDF.',
    paid_already: 'Si ja l’heu pagada, no tingueu en compte aquest missatge. Gràcies.',
  },
  // Numbers and days go without the endings that Basque would add.
  eu: {
    subject: (number) => `Ordainketa-gogorarazpena: ${number} faktura`,
    greeting: 'Kaixo:',
    due_past: (number, due_on, to_pay) =>
      `Gogorarazten dizugu ${number} fakturaren epemuga igaro dela (${due_on}) eta zenbateko hau ordaintzeke dagoela: ${to_pay}.`,
    due: (number, due_on, to_pay) =>
      `Gogorarazten dizugu ${number} fakturaren epemuga hau dela: ${due_on}. Ordaintzeke dagoen zenbatekoa: ${to_pay}.`,
    undated: (number, to_pay) =>
      `Gogorarazten dizugu ${number} fakturaren zenbateko hau ordaintzeke dagoela: ${to_pay}.`,
    number: 'Zenbakia',
    due_on: 'Epemuga',
    to_pay: 'Ordaintzeke',
    transfer: 'Kontu horretara transferentzia eginez ordain dezakezu, fakturaren zenbakia adierazita.',
    button: 'Ikusi faktura',
    attached: 'Faktura PDF formatuan doa erantsita.',
    paid_already: 'Dagoeneko ordaindu baduzu, ez hartu mezu hau kontuan. Eskerrik asko.',
  },
  gl: {
    subject: (number) => `Recordatorio de pagamento: factura ${number}`,
    greeting: 'Ola:',
    due_past: (number, due_on, to_pay) =>
      `Lembrámoslle que a factura ${number} venceu o ${due_on} e ten un importe pendente de pagamento de ${to_pay}.`,
    due: (number, due_on, to_pay) =>
      `Lembrámoslle que a factura ${number} vence o ${due_on} e ten un importe pendente de pagamento de ${to_pay}.`,
    undated: (number, to_pay) =>
      `Lembrámoslle que a factura ${number} ten un importe pendente de pagamento de ${to_pay}.`,
    number: 'Número',
    due_on: 'Vencemento',
    to_pay: 'Pendente de pagamento',
    transfer: 'Pode pagala por transferencia a esa conta, indicando o número da factura.',
    button: 'Ver a factura',
    attached: 'A factura vai anexa en PDF.',
    paid_already: 'Se xa a pagou, non teña en conta esta mensaxe. Grazas.',
  },
  en: {
    subject: (number) => `Payment reminder: invoice ${number}`,
    greeting: 'Hello,',
    due_past: (number, due_on, to_pay) =>
      `This is a friendly reminder that invoice ${number} was due on ${due_on} and that ${to_pay} is still to be paid.`,
    due: (number, due_on, to_pay) =>
      `This is a friendly reminder that invoice ${number} is due on ${due_on} and that ${to_pay} is still to be paid.`,
    undated: (number, to_pay) =>
      `This is a friendly reminder that ${to_pay} of invoice ${number} is still to be paid.`,
    number: 'Number',
    due_on: 'Due date',
    to_pay: 'Amount due',
    transfer: 'You can pay by bank transfer to that account, quoting the invoice number.',
    button: 'View invoice',
    attached: 'The invoice is attached as a PDF.',
    paid_already: 'If you have already paid it, please disregard this message. Thank you.',
  },
};

/** The sender's message replaces greeting and introduction. Figures and address stay. */
export function paymentReminderEmail(facts: PaymentReminderFacts, language: PrintedLanguage): EmailContent {
  const w = words[language];
  const rows: LabelledText[] = [{ label: w.number, text: facts.number }];
  if (facts.due_on !== null) rows.push({ label: w.due_on, text: facts.due_on });
  rows.push({ label: w.to_pay, text: facts.to_pay });
  if (facts.iban !== null) rows.push({ label: 'IBAN', text: facts.iban });
  const opening: EmailPart[] =
    facts.message === null
      ? [
          { kind: 'paragraph', text: w.greeting },
          { kind: 'paragraph', text: introduction(facts, w) },
        ]
      : [{ kind: 'paragraph', text: facts.message }];
  return {
    subject: facts.subject ?? `${w.subject(facts.number)} · ${facts.from_name}`,
    blocks: [
      ...opening,
      { kind: 'facts', rows },
      ...(facts.iban === null ? [] : [{ kind: 'paragraph', text: w.transfer } as const]),
      { kind: 'button', label: w.button, url: facts.public_url },
      ...(facts.is_attached ? [{ kind: 'note', text: w.attached } as const] : []),
      { kind: 'note', text: w.paid_already },
    ],
  };
}

function introduction({ number, due_on, is_past, to_pay }: PaymentReminderFacts, w: Words): string {
  if (due_on === null) return w.undated(number, to_pay);
  return (is_past ? w.due_past : w.due)(number, due_on, to_pay);
}

/** The text of the e-mail that sends a document. */
import type { LabelledText, PrintedLanguage } from '../../domain/printing/printed-document.ts';
import type { EmailContent, EmailPart } from '../emails/index.ts';

export type DocumentEmailFacts = {
  /** `Factura`, `Factura rectificativa`. */
  title: string;
  number: string;
  /** Day and amounts are written as in the language. */
  issued_on: string;
  /** Of its kind. */
  facts?: readonly LabelledText[];
  /** Null when the document shows no amounts. */
  total: string | null;
  /** Null without retention, and where a payment is asked for. */
  after_retention?: LabelledText | null;
  /** Null when nothing is left to pay. */
  to_pay: string | null;
  /** Null also when nothing is left to pay. */
  due_on: string | null;
  public_url: string;
  is_attached: boolean;
  from_name: string;
  /** The sender's words, in place of ours. */
  subject: string | null;
  message: string | null;
};

/** Words of one kind of document. */
export type DocumentEmailWords = {
  intro(number: string): string;
  button: string;
  attached: string;
};

/** Words of all documents. */
type Words = {
  greeting: string;
  number: string;
  issued_on: string;
  total: string;
  to_pay: string;
  due_on: string;
};

const words: Record<PrintedLanguage, Words> = {
  es: {
    greeting: 'Hola:',
    number: 'Número',
    issued_on: 'Fecha',
    total: 'Total',
    to_pay: 'Pendiente de pago',
    due_on: 'Vencimiento',
  },
  ca: {
    greeting: 'Hola,',
    number: 'Número',
    issued_on: 'Data',
    total: 'Total',
    to_pay: 'Pendent de pagament',
    due_on: 'Venciment',
  },
  eu: {
    greeting: 'Kaixo:',
    number: 'Zenbakia',
    issued_on: 'Data',
    total: 'Guztira',
    to_pay: 'Ordaintzeke',
    due_on: 'Epemuga',
  },
  gl: {
    greeting: 'Ola:',
    number: 'Número',
    issued_on: 'Data',
    total: 'Total',
    to_pay: 'Pendente de pagamento',
    due_on: 'Vencemento',
  },
  en: {
    greeting: 'Hello,',
    number: 'Number',
    issued_on: 'Date',
    total: 'Total',
    to_pay: 'Amount due',
    due_on: 'Due date',
  },
};

/** The sender's message replaces greeting and introduction only. */
export function documentEmail(
  facts: DocumentEmailFacts,
  own: Record<PrintedLanguage, DocumentEmailWords>,
  language: PrintedLanguage,
): EmailContent {
  const w = { ...words[language], ...own[language] };
  const rows: LabelledText[] = [
    { label: w.number, text: facts.number },
    { label: w.issued_on, text: facts.issued_on },
    ...(facts.facts ?? []),
  ];
  if (facts.total !== null) rows.push({ label: w.total, text: facts.total });
  if (facts.after_retention) rows.push(facts.after_retention);
  if (facts.to_pay !== null) rows.push({ label: w.to_pay, text: facts.to_pay });
  if (facts.due_on !== null) rows.push({ label: w.due_on, text: facts.due_on });
  const opening: EmailPart[] =
    facts.message === null
      ? [
          { kind: 'paragraph', text: w.greeting },
          { kind: 'paragraph', text: w.intro(facts.number) },
        ]
      : [{ kind: 'paragraph', text: facts.message }];
  return {
    subject: facts.subject ?? `${facts.title} ${facts.number} · ${facts.from_name}`,
    blocks: [
      ...opening,
      { kind: 'facts', rows },
      { kind: 'button', label: w.button, url: facts.public_url },
      ...(facts.is_attached ? [{ kind: 'note', text: w.attached } as const] : []),
    ],
  };
}

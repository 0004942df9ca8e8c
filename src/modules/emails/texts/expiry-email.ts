/**
 * From the service to a company whose certificate or representation ends. It states the last day, not the
 * days left, because it may be read late.
 */
import type { PrintedLanguage } from '../../../domain/printing/printed-document.ts';
import type { EmailContent } from './compose-email.ts';

export type ExpiryEmailFacts = {
  object: 'certificate' | 'representation';
  company_name: string;
  company_tax_id: string;
  /** In the language's format. */
  last_day: string;
  is_last_warning: boolean;
};

type ObjectWords = {
  subject(company: string, last_day: string): string;
  intro(company: string, last_day: string): string;
  remedy: string;
};

type Words = Record<ExpiryEmailFacts['object'], ObjectWords> & {
  greeting: string;
  last_warning: string;
  company: string;
  tax_id: string;
  last_day: string;
};

const words: Record<PrintedLanguage, Words> = {
  es: {
    greeting: 'Hola:',
    last_warning: 'Este es el último aviso.',
    company: 'Empresa',
    tax_id: 'NIF',
    last_day: 'Último día',
    certificate: {
      subject: (company, last_day) => `El certificado de ${company} caduca el ${last_day}`,
      intro: (company, last_day) =>
        `El certificado con el que ${company} envía y firma sus registros de facturación caduca el ${last_day}.`,
      remedy:
        'Suba antes de ese día uno nuevo en la configuración de VeriFactu, para que los registros se sigan enviando y firmando sin interrupción.',
    },
    representation: {
      subject: (company, last_day) => `La representación de ${company} acaba el ${last_day}`,
      intro: (company, last_day) =>
        `La representación con la que el servicio envía y firma los registros de facturación de ${company} acaba el ${last_day}.`,
      remedy:
        'Otorgue antes de ese día una nueva y regístrela en la configuración de VeriFactu, para que los registros se sigan enviando y firmando sin interrupción.',
    },
  },
  ca: {
    greeting: 'Hola,',
    last_warning: 'Aquest és l’últim avís.',
    company: 'Empresa',
    tax_id: 'NIF',
    last_day: 'Últim dia',
    certificate: {
      subject: (company, last_day) => `El certificat de l’empresa ${company} caduca el ${last_day}`,
      intro: (company, last_day) =>
        `El certificat amb què ${company} envia i signa els seus registres de facturació caduca el ${last_day}.`,
      remedy:
        'Pugeu-ne un de nou abans d’aquest dia a la configuració de VeriFactu, perquè els registres es continuïn enviant i signant sense interrupció.',
    },
    representation: {
      subject: (company, last_day) => `La representació de l’empresa ${company} s’acaba el ${last_day}`,
      intro: (company, last_day) =>
        `La representació amb què el servei envia i signa els registres de facturació de l’empresa ${company} s’acaba el ${last_day}.`,
      remedy:
        'Atorgueu-ne una de nova abans d’aquest dia i registreu-la a la configuració de VeriFactu, perquè els registres es continuïn enviant i signant sense interrupció.',
    },
  },
  // Names and days go without the endings that Basque would add.
  eu: {
    greeting: 'Kaixo:',
    last_warning: 'Hau da azken abisua.',
    company: 'Enpresa',
    tax_id: 'IFZ',
    last_day: 'Azken eguna',
    certificate: {
      subject: (company, last_day) => `Ziurtagiria iraungitzear dago (${last_day}): ${company}`,
      intro: (company, last_day) =>
        `Laster iraungiko da ${company} enpresak fakturazio-erregistroak bidaltzeko eta sinatzeko erabiltzen duen ziurtagiria. Azken eguna: ${last_day}.`,
      remedy:
        'Igo ziurtagiri berri bat egun hori baino lehen VeriFactu konfigurazioan, erregistroak etenik gabe bidaltzen eta sinatzen jarraitzeko.',
    },
    representation: {
      subject: (company, last_day) => `Ordezkaritza amaitzear dago (${last_day}): ${company}`,
      intro: (company, last_day) =>
        `Laster amaituko da zerbitzuak ${company} enpresaren fakturazio-erregistroak bidaltzeko eta sinatzeko duen ordezkaritza. Azken eguna: ${last_day}.`,
      remedy:
        'Eman ordezkaritza berri bat egun hori baino lehen eta erregistratu VeriFactu konfigurazioan, erregistroak etenik gabe bidaltzen eta sinatzen jarraitzeko.',
    },
  },
  gl: {
    greeting: 'Ola:',
    last_warning: 'Este é o último aviso.',
    company: 'Empresa',
    tax_id: 'NIF',
    last_day: 'Último día',
    certificate: {
      subject: (company, last_day) => `O certificado de ${company} caduca o ${last_day}`,
      intro: (company, last_day) =>
        `O certificado co que ${company} envía e asina os seus rexistros de facturación caduca o ${last_day}.`,
      remedy:
        'Suba antes dese día un novo na configuración de VeriFactu, para que os rexistros se sigan enviando e asinando sen interrupción.',
    },
    representation: {
      subject: (company, last_day) => `A representación de ${company} remata o ${last_day}`,
      intro: (company, last_day) =>
        `A representación coa que o servizo envía e asina os rexistros de facturación de ${company} remata o ${last_day}.`,
      remedy:
        'Outorgue antes dese día unha nova e rexístrea na configuración de VeriFactu, para que os rexistros se sigan enviando e asinando sen interrupción.',
    },
  },
  en: {
    greeting: 'Hello,',
    last_warning: 'This is the last warning.',
    company: 'Company',
    tax_id: 'Tax ID',
    last_day: 'Last day',
    certificate: {
      subject: (company, last_day) => `The certificate of ${company} expires on ${last_day}`,
      intro: (company, last_day) =>
        `The certificate with which ${company} sends and signs its billing records expires on ${last_day}.`,
      remedy:
        'Please upload a new one in the VeriFactu settings before that day, so that records go on being sent and signed without interruption.',
    },
    representation: {
      subject: (company, last_day) => `The representation of ${company} ends on ${last_day}`,
      intro: (company, last_day) =>
        `The representation by which the service sends and signs the billing records of ${company} ends on ${last_day}.`,
      remedy:
        'Please grant a new one and register it in the VeriFactu settings before that day, so that records go on being sent and signed without interruption.',
    },
  },
};

export function expiryEmail(facts: ExpiryEmailFacts, language: PrintedLanguage): EmailContent {
  const w = words[language];
  const { subject, intro, remedy } = w[facts.object];
  const { company_name, company_tax_id, last_day } = facts;
  return {
    subject: subject(company_name, last_day),
    blocks: [
      { kind: 'paragraph', text: w.greeting },
      { kind: 'paragraph', text: intro(company_name, last_day) },
      { kind: 'paragraph', text: facts.is_last_warning ? `${remedy}\n${w.last_warning}` : remedy },
      {
        kind: 'facts',
        rows: [
          { label: w.company, text: company_name },
          { label: w.tax_id, text: company_tax_id },
          { label: w.last_day, text: last_day },
        ],
      },
    ],
  };
}

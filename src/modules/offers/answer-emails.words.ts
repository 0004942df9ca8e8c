import type { PrintedLanguage } from '../../domain/printing/printed-document.ts';

export type AnswerEmailWords = {
  greeting: string;
  issued_on: string;
  total: string;
  accepted_at: string;
  rejected_at: string;
  name: string;
  email: string;
  tax_id: string;
  note: string;
  reason: string;
  button: string;
  /** To whoever accepted. */
  receipt: { subject: string; text: string; note: string };
  /** To the company. */
  accepted: { subject: string; text: string };
  rejected: { subject: string; text: string };
};

export const answerEmailWords: Record<PrintedLanguage, AnswerEmailWords> = {
  es: {
    greeting: 'Hola:',
    issued_on: 'Fecha',
    total: 'Total',
    accepted_at: 'Aceptado',
    rejected_at: 'Rechazado',
    name: 'Quién',
    email: 'Correo',
    tax_id: 'NIF',
    note: 'Nota',
    reason: 'Motivo',
    button: 'Ver el documento',
    receipt: {
      subject: 'Recibo de la aceptación',
      text: 'Hemos recibido la aceptación de este documento, hecha en su página con esta dirección de correo.',
      note: 'El documento va adjunto en PDF. Si no lo ha aceptado usted, responda a este mensaje.',
    },
    accepted: { subject: 'Aceptado', text: 'Su cliente ha aceptado este documento en su página.' },
    rejected: { subject: 'Rechazado', text: 'Su cliente ha rechazado este documento en su página.' },
  },
  ca: {
    greeting: 'Hola,',
    issued_on: 'Data',
    total: 'Total',
    accepted_at: 'Acceptat',
    rejected_at: 'Rebutjat',
    name: 'Qui',
    email: 'Correu',
    tax_id: 'NIF',
    note: 'Nota',
    reason: 'Motiu',
    button: 'Veure el document',
    receipt: {
      subject: 'Rebut de l’acceptació',
      text: 'Hem rebut l’acceptació d’aquest document, feta a la seva pàgina amb aquesta adreça de correu.',
      note: 'El document va adjunt en PDF. Si no l’heu acceptat vós, responeu aquest missatge.',
    },
    accepted: { subject: 'Acceptat', text: 'El vostre client ha acceptat aquest document a la seva pàgina.' },
    rejected: { subject: 'Rebutjat', text: 'El vostre client ha rebutjat aquest document a la seva pàgina.' },
  },
  eu: {
    greeting: 'Kaixo:',
    issued_on: 'Data',
    total: 'Guztira',
    accepted_at: 'Onartua',
    rejected_at: 'Baztertua',
    name: 'Nork',
    email: 'Posta elektronikoa',
    tax_id: 'IFZ',
    note: 'Oharra',
    reason: 'Arrazoia',
    button: 'Ikusi dokumentua',
    receipt: {
      subject: 'Onarpenaren agiria',
      text: 'Dokumentu honen onarpena jaso dugu, bere orrian egina helbide elektroniko honekin.',
      note: 'Dokumentua PDF formatuan doa erantsita. Zuk onartu ez baduzu, erantzun mezu honi.',
    },
    accepted: { subject: 'Onartua', text: 'Zure bezeroak dokumentu hau onartu du bere orrian.' },
    rejected: { subject: 'Baztertua', text: 'Zure bezeroak dokumentu hau baztertu du bere orrian.' },
  },
  gl: {
    greeting: 'Ola:',
    issued_on: 'Data',
    total: 'Total',
    accepted_at: 'Aceptado',
    rejected_at: 'Rexeitado',
    name: 'Quen',
    email: 'Correo',
    tax_id: 'NIF',
    note: 'Nota',
    reason: 'Motivo',
    button: 'Ver o documento',
    receipt: {
      subject: 'Recibo da aceptación',
      text: 'Recibimos a aceptación deste documento, feita na súa páxina con este enderezo de correo.',
      note: 'O documento vai anexo en PDF. Se non o aceptou vostede, responda esta mensaxe.',
    },
    accepted: { subject: 'Aceptado', text: 'O seu cliente aceptou este documento na súa páxina.' },
    rejected: { subject: 'Rexeitado', text: 'O seu cliente rexeitou este documento na súa páxina.' },
  },
  en: {
    greeting: 'Hello,',
    issued_on: 'Date',
    total: 'Total',
    accepted_at: 'Accepted',
    rejected_at: 'Declined',
    name: 'Who',
    email: 'E-mail',
    tax_id: 'Tax ID',
    note: 'Note',
    reason: 'Reason',
    button: 'View the document',
    receipt: {
      subject: 'Receipt of acceptance',
      text: 'We have received the acceptance of this document, made on its page with this e-mail address.',
      note: 'The document is attached as a PDF. If it was not you who accepted it, please reply to this message.',
    },
    accepted: { subject: 'Accepted', text: 'Your client has accepted this document on its page.' },
    rejected: { subject: 'Declined', text: 'Your client has declined this document on its page.' },
  },
};

/** The texts are short: their reader did not choose this service. */
import { type PrintedLanguage, printedLanguages } from '../../domain/printing/printed-document.ts';

export type Notice = { title: string; text: string };

export type PageWords = {
  download: string;
  /** The lines' caption, for screen readers. */
  lines: string;
  /** For readers who cannot see the QR. */
  qr: string;
  /** A link to where the QR leads: a telephone cannot scan its own screen. */
  check: string;
  privacy: string;
  /** The name of the switch. */
  languages: string;
  copy: string;
  copied: string;
  /** Beside the QR of a transfer. */
  transfer: string;
  paid: string;
  pending: string;
  /** What is to be given back. */
  owed: string;
  past_due: string;
  rectified: string;
  substituted: string;
  counted_elsewhere: string;
  tax_counted_elsewhere: string;
  nothing_to_pay: string;
  not_found: Notice;
  withdrawn: Notice;
  ended: Notice;
  too_many: Notice;
  unavailable: Notice;
  /** A form that was sent from another page, or from none. */
  foreign: Notice;
  /** A form that could not be read. */
  unreadable: Notice;
};

export const pageWords: Record<PrintedLanguage, PageWords> = {
  es: {
    download: 'Descargar PDF',
    lines: 'Líneas del documento',
    qr: 'Código QR',
    check: 'Comprobar en la Agencia Tributaria',
    privacy: 'Quien tenga la dirección de esta página puede ver el documento.',
    languages: 'Idioma',
    copy: 'Copiar',
    copied: 'Copiado',
    transfer: 'Para pagar por transferencia, escanee este código con la aplicación de su banco.',
    paid: 'Pagada',
    pending: 'Pendiente',
    owed: 'A devolver al cliente',
    past_due: 'Vencida',
    rectified: 'Rectificada por otra factura',
    substituted: 'Sustituida por otra factura',
    counted_elsewhere: 'Su importe cuenta en la factura que rectifica',
    tax_counted_elsewhere: 'Su impuesto cuenta en la factura que rectifica; su base no cambia lo que se debe',
    nothing_to_pay: 'Aquí no queda nada que pagar.',
    not_found: {
      title: 'Aquí no hay ningún documento',
      text: 'Compruebe que ha copiado la dirección entera. Si la recibió así, pida otra a quien se la envió.',
    },
    withdrawn: {
      title: 'Este documento está anulado',
      text: 'Ya no tiene validez y no se puede consultar. Si tiene dudas, hable con quien se lo envió.',
    },
    ended: { title: 'Este enlace ha caducado', text: 'Pida otro a quien se lo envió.' },
    too_many: { title: 'Demasiados intentos', text: 'Vuelva a probar dentro de un minuto.' },
    unavailable: {
      title: 'Ahora mismo no podemos mostrar el documento',
      text: 'Vuelva a probar dentro de un momento.',
    },
    foreign: {
      title: 'La respuesta no viene de esta página',
      text: 'No se ha guardado nada. Abra la dirección del documento y responda desde allí.',
    },
    unreadable: {
      title: 'No hemos podido leer la respuesta',
      text: 'No se ha guardado nada. Vuelva al documento y escriba menos texto.',
    },
  },
  ca: {
    download: 'Descarrega el PDF',
    lines: 'Línies del document',
    qr: 'Codi QR',
    check: 'Comprova-ho a l’Agència Tributària',
    privacy: 'Qui tingui l’adreça d’aquesta pàgina pot veure el document.',
    languages: 'Idioma',
    copy: 'Copia',
    copied: 'Copiat',
    transfer: 'Per pagar per transferència, escanegeu aquest codi amb l’aplicació del vostre banc.',
    paid: 'Pagada',
    pending: 'Pendent',
    owed: 'Per retornar al client',
    past_due: 'Vençuda',
    rectified: 'Rectificada per una altra factura',
    substituted: 'Substituïda per una altra factura',
    counted_elsewhere: 'L’import compta en la factura que rectifica',
    tax_counted_elsewhere: 'L’impost compta en la factura que rectifica; la base no canvia el que es deu',
    nothing_to_pay: 'Aquí no queda res per pagar.',
    not_found: {
      title: 'Aquí no hi ha cap document',
      text: 'Comproveu que heu copiat l’adreça sencera. Si us ha arribat així, demaneu-ne una altra a qui us la va enviar.',
    },
    withdrawn: {
      title: 'Aquest document està anul·lat',
      text: 'Ja no té validesa i no es pot consultar. Si teniu dubtes, parleu amb qui us el va enviar.',
    },
    ended: { title: 'Aquest enllaç ha caducat', text: 'Demaneu-ne un altre a qui us el va enviar.' },
    too_many: { title: 'Massa intents', text: 'Torneu-ho a provar d’aquí a un minut.' },
    unavailable: {
      title: 'Ara mateix no podem mostrar el document',
      text: 'Torneu-ho a provar d’aquí a una estona.',
    },
    foreign: {
      title: 'La resposta no ve d’aquesta pàgina',
      text: 'No s’ha desat res. Obriu l’adreça del document i responeu des d’allà.',
    },
    unreadable: {
      title: 'No hem pogut llegir la resposta',
      text: 'No s’ha desat res. Torneu al document i escriviu menys text.',
    },
  },
  eu: {
    download: 'Deskargatu PDFa',
    lines: 'Dokumentuaren lerroak',
    qr: 'QR kodea',
    check: 'Egiaztatu Zerga Agentzian',
    privacy: 'Orri honen helbidea duen edonork ikus dezake dokumentua.',
    languages: 'Hizkuntza',
    copy: 'Kopiatu',
    copied: 'Kopiatuta',
    transfer: 'Transferentziaz ordaintzeko, eskaneatu kode hau zure bankuaren aplikazioarekin.',
    paid: 'Ordainduta',
    pending: 'Ordaintzeke',
    owed: 'Bezeroari itzultzeke',
    past_due: 'Epemuga igarota',
    rectified: 'Beste faktura batek zuzendua',
    substituted: 'Beste faktura batek ordeztua',
    counted_elsewhere: 'Zenbatekoa zuzentzen duen fakturan kontatzen da',
    tax_counted_elsewhere: 'Zerga zuzentzen duen fakturan kontatzen da; oinarriak ez du zor dena aldatzen',
    nothing_to_pay: 'Hemen ez dago ezer ordaintzeko.',
    not_found: {
      title: 'Hemen ez dago dokumenturik',
      text: 'Egiaztatu helbide osoa kopiatu duzula. Horrela jaso baduzu, eskatu beste bat bidali dizunari.',
    },
    withdrawn: {
      title: 'Dokumentu hau baliogabetuta dago',
      text: 'Jada ez du baliorik, eta ezin da kontsultatu. Zalantzarik baduzu, hitz egin bidali dizunarekin.',
    },
    ended: { title: 'Esteka hau iraungi da', text: 'Eskatu beste bat bidali dizunari.' },
    too_many: { title: 'Saiakera gehiegi', text: 'Saiatu berriro minutu bat barru.' },
    unavailable: {
      title: 'Une honetan ezin dugu dokumentua erakutsi',
      text: 'Saiatu berriro geroxeago.',
    },
    foreign: {
      title: 'Erantzuna ez dator orri honetatik',
      text: 'Ez da ezer gorde. Ireki dokumentuaren helbidea eta erantzun handik.',
    },
    unreadable: {
      title: 'Ezin izan dugu erantzuna irakurri',
      text: 'Ez da ezer gorde. Itzuli dokumentura eta idatzi testu laburragoa.',
    },
  },
  gl: {
    download: 'Descargar o PDF',
    lines: 'Liñas do documento',
    qr: 'Código QR',
    check: 'Comprobar na Axencia Tributaria',
    privacy: 'Quen teña o enderezo desta páxina pode ver o documento.',
    languages: 'Idioma',
    copy: 'Copiar',
    copied: 'Copiado',
    transfer: 'Para pagar por transferencia, escanee este código coa aplicación do seu banco.',
    paid: 'Pagada',
    pending: 'Pendente',
    owed: 'Para devolver ao cliente',
    past_due: 'Vencida',
    rectified: 'Rectificada por outra factura',
    substituted: 'Substituída por outra factura',
    counted_elsewhere: 'O seu importe conta na factura que rectifica',
    tax_counted_elsewhere:
      'O seu imposto conta na factura que rectifica; a súa base non cambia o que se debe',
    nothing_to_pay: 'Aquí non queda nada que pagar.',
    not_found: {
      title: 'Aquí non hai ningún documento',
      text: 'Comprobe que copiou o enderezo enteiro. Se o recibiu así, pida outro a quen llo enviou.',
    },
    withdrawn: {
      title: 'Este documento está anulado',
      text: 'Xa non ten validez e non se pode consultar. Se ten dúbidas, fale con quen llo enviou.',
    },
    ended: { title: 'Esta ligazón caducou', text: 'Pida outra a quen lla enviou.' },
    too_many: { title: 'Demasiados intentos', text: 'Volva probar dentro dun minuto.' },
    unavailable: {
      title: 'Agora mesmo non podemos mostrar o documento',
      text: 'Volva probar dentro dun momento.',
    },
    foreign: {
      title: 'A resposta non vén desta páxina',
      text: 'Non se gardou nada. Abra o enderezo do documento e responda desde alí.',
    },
    unreadable: {
      title: 'Non puidemos ler a resposta',
      text: 'Non se gardou nada. Volva ao documento e escriba menos texto.',
    },
  },
  en: {
    download: 'Download PDF',
    lines: 'Lines of the document',
    qr: 'QR code',
    check: 'Check with the tax agency',
    privacy: 'Anyone who has the address of this page can see the document.',
    languages: 'Language',
    copy: 'Copy',
    copied: 'Copied',
    transfer: 'To pay by bank transfer, scan this code with your bank’s app.',
    paid: 'Paid',
    pending: 'Still to pay',
    owed: 'To be refunded to the customer',
    past_due: 'Past due',
    rectified: 'Corrected by another invoice',
    substituted: 'Replaced by another invoice',
    counted_elsewhere: 'Its amount counts in the invoice that it corrects',
    tax_counted_elsewhere:
      'Its tax counts in the invoice that it corrects; its base does not change what is owed',
    nothing_to_pay: 'There is nothing to pay here.',
    not_found: {
      title: 'There is no document here',
      text: 'Please check that you copied the whole address. If you received it like this, ask whoever sent it for another one.',
    },
    withdrawn: {
      title: 'This document has been annulled',
      text: 'It is no longer valid and cannot be viewed. If in doubt, ask whoever sent it to you.',
    },
    ended: { title: 'This link has expired', text: 'Ask whoever sent it for another one.' },
    too_many: { title: 'Too many attempts', text: 'Please try again in a minute.' },
    unavailable: {
      title: 'The document cannot be shown right now',
      text: 'Please try again in a moment.',
    },
    foreign: {
      title: 'The answer does not come from this page',
      text: 'Nothing was kept. Open the address of the document and answer from there.',
    },
    unreadable: {
      title: 'The answer could not be read',
      text: 'Nothing was kept. Go back to the document and write less text.',
    },
  },
};

/** The reader's first choice that we have (RFC 9110, 12.5.4), else Spanish. */
export function languageFor(accept_language: string | undefined): PrintedLanguage {
  const wishes = (accept_language ?? '')
    .slice(0, 500)
    .toLowerCase()
    .split(',')
    .map((wish, index) => {
      const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim());
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      return { tag: tag.split('-', 1)[0], weight: q === undefined ? 1 : Number(q.slice(2)) || 0, index };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  for (const { tag } of wishes) {
    const found = printedLanguages.find((language) => language === tag);
    if (found) return found;
  }
  return 'es';
}

/** What an offer's page says where it is answered. Whoever answers binds himself, so the texts are plain. */
import type { PrintedLanguage } from '../../domain/printing/printed-document.ts';
import type { FieldName } from './answer-form.ts';

export type AnswerWords = {
  /** A link to the forms. */
  jump: string;
  title: string;
  accept_title: string;
  /** The label that the law asks for (TRLGDCU, art. 98.2). */
  accept: string;
  reject_title: string;
  reject: string;
  optional: string;
  labels: Record<FieldName, string>;
  /** Of the field, where a receipt is sent there. */
  email_for_receipt: string;
  /** What is done to accept, and how it is confirmed (LSSI, art. 27.1 and 28.1). */
  steps: string;
  /** Where no receipt is sent. */
  steps_without_receipt: string;
  /** How to mend errors, language, archive (LSSI, art. 27.1), and what is kept. */
  terms: readonly string[];
  faulty: string;
  faults: Record<FieldName, string>;
  changed: string;
  closed: string;
  accepted_at: string;
  accepted_by: string;
  keep: string;
  receipt: string;
};

export const answerWords: Record<PrintedLanguage, AnswerWords> = {
  es: {
    jump: 'Responder',
    title: 'Su respuesta',
    accept_title: 'Aceptar el documento',
    accept: 'Aceptar con obligación de pago',
    reject_title: 'No aceptarlo',
    reject: 'Rechazar',
    optional: '(opcional)',
    labels: {
      name: 'Nombre y apellidos',
      email: 'Correo electrónico',
      tax_id: 'NIF',
      note: 'Nota',
      agree: 'He leído el documento y lo acepto, en mi nombre o en el de quien represento.',
      reason: 'Motivo',
    },
    email_for_receipt: 'Correo electrónico, para el recibo',
    steps:
      'Pasos: lea el documento, rellene sus datos, marque la casilla y pulse el botón. Esta página confirma entonces la aceptación, y se le envía un recibo con el PDF.',
    steps_without_receipt:
      'Pasos: lea el documento, rellene sus datos, marque la casilla y pulse el botón. Esta página confirma entonces la aceptación: guárdela o imprímala.',
    terms: [
      'Hasta que pulse el botón puede corregir lo escrito. Si falta algo, la página lo dice y no se guarda nada. Después, los errores se corrigen con la empresa que le envía el documento.',
      'La aceptación se hace en castellano.',
      'La empresa archiva el documento y su aceptación, y usted los ve en esta página mientras se abra su dirección.',
      'Como prueba se guardan lo que escriba, la hora, la versión del documento, su dirección IP y su navegador.',
    ],
    faulty: 'Su respuesta no se ha guardado. Revise:',
    faults: {
      name: 'Escriba su nombre, en una línea de 120 caracteres como máximo.',
      email: 'Escriba una dirección de correo válida.',
      tax_id: 'Escriba el NIF con 20 caracteres como máximo.',
      note: 'Escriba la nota con 500 caracteres como máximo.',
      agree: 'Marque la casilla para aceptar.',
      reason: 'Escriba el motivo con 500 caracteres como máximo.',
    },
    changed:
      'El documento ha cambiado desde que lo abrió, y su respuesta no se ha guardado. Arriba está como es ahora: léalo de nuevo antes de responder.',
    closed: 'Su respuesta no se ha guardado: este documento ya no se puede responder aquí.',
    accepted_at: 'Aceptado',
    accepted_by: 'Por',
    keep: 'Guarde o imprima esta página: es la confirmación de la aceptación.',
    receipt: 'El recibo con el PDF se envía al correo que se indicó.',
  },
  ca: {
    jump: 'Respon',
    title: 'La vostra resposta',
    accept_title: 'Acceptar el document',
    accept: 'Accepta amb obligació de pagament',
    reject_title: 'No acceptar-lo',
    reject: 'Rebutja',
    optional: '(opcional)',
    labels: {
      name: 'Nom i cognoms',
      email: 'Correu electrònic',
      tax_id: 'NIF',
      note: 'Nota',
      agree: 'He llegit el document i l’accepto, en nom meu o de qui represento.',
      reason: 'Motiu',
    },
    email_for_receipt: 'Correu electrònic, per al rebut',
    steps:
      'Passos: llegiu el document, ompliu les vostres dades, marqueu la casella i premeu el botó. Aquesta pàgina confirma aleshores l’acceptació, i se us envia un rebut amb el PDF.',
    steps_without_receipt:
      'Passos: llegiu el document, ompliu les vostres dades, marqueu la casella i premeu el botó. Aquesta pàgina confirma aleshores l’acceptació: deseu-la o imprimiu-la.',
    terms: [
      'Fins que premeu el botó podeu corregir el que heu escrit. Si falta res, la pàgina ho diu i no es desa res. Després, els errors es corregeixen amb l’empresa que us envia el document.',
      'L’acceptació es fa en català.',
      'L’empresa arxiva el document i la vostra acceptació, i els podeu veure en aquesta pàgina mentre se n’obri l’adreça.',
      'Com a prova es desen el que escriviu, l’hora, la versió del document, la vostra adreça IP i el vostre navegador.',
    ],
    faulty: 'La vostra resposta no s’ha desat. Reviseu:',
    faults: {
      name: 'Escriviu el vostre nom, en una línia de 120 caràcters com a màxim.',
      email: 'Escriviu una adreça de correu vàlida.',
      tax_id: 'Escriviu el NIF amb 20 caràcters com a màxim.',
      note: 'Escriviu la nota amb 500 caràcters com a màxim.',
      agree: 'Marqueu la casella per acceptar.',
      reason: 'Escriviu el motiu amb 500 caràcters com a màxim.',
    },
    changed:
      'El document ha canviat d’ençà que el vau obrir, i la vostra resposta no s’ha desat. A dalt hi ha com és ara: torneu-lo a llegir abans de respondre.',
    closed: 'La vostra resposta no s’ha desat: aquest document ja no es pot respondre aquí.',
    accepted_at: 'Acceptat',
    accepted_by: 'Per',
    keep: 'Deseu o imprimiu aquesta pàgina: és la confirmació de l’acceptació.',
    receipt: 'El rebut amb el PDF s’envia al correu que es va indicar.',
  },
  eu: {
    jump: 'Erantzun',
    title: 'Zure erantzuna',
    accept_title: 'Dokumentua onartu',
    accept: 'Onartu, ordaintzeko betebeharrarekin',
    reject_title: 'Ez onartu',
    reject: 'Baztertu',
    optional: '(aukerakoa)',
    labels: {
      name: 'Izen-abizenak',
      email: 'Helbide elektronikoa',
      tax_id: 'IFZ',
      note: 'Oharra',
      agree: 'Dokumentua irakurri dut eta onartzen dut, nire izenean edo ordezkatzen dudanaren izenean.',
      reason: 'Arrazoia',
    },
    email_for_receipt: 'Helbide elektronikoa, agiria jasotzeko',
    steps:
      'Urratsak: irakurri dokumentua, bete zure datuak, markatu laukia eta sakatu botoia. Orduan orri honek onarpena berretsiko du, eta agiri bat bidaliko zaizu PDFarekin.',
    steps_without_receipt:
      'Urratsak: irakurri dokumentua, bete zure datuak, markatu laukia eta sakatu botoia. Orduan orri honek onarpena berretsiko du: gorde edo inprimatu.',
    terms: [
      'Botoia sakatu arte, idatzitakoa zuzen dezakezu. Zerbait falta bada, orriak esango dizu eta ez da ezer gordeko. Gero, akatsak dokumentua bidali dizun enpresarekin zuzentzen dira.',
      'Onarpena euskaraz egiten da.',
      'Enpresak dokumentua eta zure onarpena artxibatzen ditu, eta orri honetan ikus ditzakezu helbidea irekitzen den bitartean.',
      'Froga gisa, idazten duzuna, ordua, dokumentuaren bertsioa, zure IP helbidea eta nabigatzailea gordetzen dira.',
    ],
    faulty: 'Zure erantzuna ez da gorde. Berrikusi:',
    faults: {
      name: 'Idatzi zure izena lerro batean, gehienez 120 karakterekin.',
      email: 'Idatzi baliozko helbide elektroniko bat.',
      tax_id: 'Idatzi IFZa gehienez 20 karakterekin.',
      note: 'Idatzi oharra gehienez 500 karakterekin.',
      agree: 'Markatu laukia onartzeko.',
      reason: 'Idatzi arrazoia gehienez 500 karakterekin.',
    },
    changed:
      'Dokumentua aldatu egin da ireki zenuenetik, eta zure erantzuna ez da gorde. Goian dago orain den bezala: irakurri berriro erantzun aurretik.',
    closed: 'Zure erantzuna ez da gorde: dokumentu honi ezin zaio hemen erantzun.',
    accepted_at: 'Onartua',
    accepted_by: 'Nork',
    keep: 'Gorde edo inprimatu orri hau: onarpenaren berrespena da.',
    receipt: 'Agiria, PDFarekin, adierazitako helbide elektronikora bidaltzen da.',
  },
  gl: {
    jump: 'Responder',
    title: 'A súa resposta',
    accept_title: 'Aceptar o documento',
    accept: 'Aceptar con obriga de pagamento',
    reject_title: 'Non aceptalo',
    reject: 'Rexeitar',
    optional: '(opcional)',
    labels: {
      name: 'Nome e apelidos',
      email: 'Correo electrónico',
      tax_id: 'NIF',
      note: 'Nota',
      agree: 'Lin o documento e acéptoo, no meu nome ou no de quen represento.',
      reason: 'Motivo',
    },
    email_for_receipt: 'Correo electrónico, para o recibo',
    steps:
      'Pasos: lea o documento, encha os seus datos, marque a caixa e prema o botón. Esta páxina confirma entón a aceptación, e envíaselle un recibo co PDF.',
    steps_without_receipt:
      'Pasos: lea o documento, encha os seus datos, marque a caixa e prema o botón. Esta páxina confirma entón a aceptación: gárdea ou imprímaa.',
    terms: [
      'Ata que prema o botón pode corrixir o escrito. Se falta algo, a páxina dio e non se garda nada. Despois, os erros corríxense coa empresa que lle envía o documento.',
      'A aceptación faise en galego.',
      'A empresa arquiva o documento e a súa aceptación, e vostede pode velos nesta páxina mentres se abra o seu enderezo.',
      'Como proba gárdanse o que escriba, a hora, a versión do documento, o seu enderezo IP e o seu navegador.',
    ],
    faulty: 'A súa resposta non se gardou. Revise:',
    faults: {
      name: 'Escriba o seu nome, nunha liña de 120 caracteres como máximo.',
      email: 'Escriba un enderezo de correo válido.',
      tax_id: 'Escriba o NIF con 20 caracteres como máximo.',
      note: 'Escriba a nota con 500 caracteres como máximo.',
      agree: 'Marque a caixa para aceptar.',
      reason: 'Escriba o motivo con 500 caracteres como máximo.',
    },
    changed:
      'O documento cambiou desde que o abriu, e a súa resposta non se gardou. Arriba está como é agora: léao de novo antes de responder.',
    closed: 'A súa resposta non se gardou: este documento xa non se pode responder aquí.',
    accepted_at: 'Aceptado',
    accepted_by: 'Por',
    keep: 'Garde ou imprima esta páxina: é a confirmación da aceptación.',
    receipt: 'O recibo co PDF envíase ao correo que se indicou.',
  },
  en: {
    jump: 'Answer',
    title: 'Your answer',
    accept_title: 'Accept the document',
    accept: 'Accept with obligation to pay',
    reject_title: 'Do not accept it',
    reject: 'Decline',
    optional: '(optional)',
    labels: {
      name: 'Full name',
      email: 'E-mail address',
      tax_id: 'Tax ID',
      note: 'Note',
      agree: 'I have read the document and accept it, for myself or for whom I represent.',
      reason: 'Reason',
    },
    email_for_receipt: 'E-mail address, for the receipt',
    steps:
      'Steps: read the document, fill in your details, tick the box and press the button. This page then confirms the acceptance, and a receipt with the PDF is sent to you.',
    steps_without_receipt:
      'Steps: read the document, fill in your details, tick the box and press the button. This page then confirms the acceptance: save or print it.',
    terms: [
      'Until you press the button you can correct what you wrote. If something is missing, the page says so and nothing is kept. After that, errors are put right with the company that sent you the document.',
      'The acceptance is made in English.',
      'The company keeps the document and your acceptance, and you can see them on this page for as long as its address opens.',
      'As proof, what you write, the time, the version of the document, your IP address and your browser are kept.',
    ],
    faulty: 'Your answer was not kept. Please check:',
    faults: {
      name: 'Enter your name, on one line of at most 120 characters.',
      email: 'Enter a valid e-mail address.',
      tax_id: 'Enter the tax ID with at most 20 characters.',
      note: 'Enter the note with at most 500 characters.',
      agree: 'Tick the box to accept.',
      reason: 'Enter the reason with at most 500 characters.',
    },
    changed:
      'The document has changed since you opened it, and your answer was not kept. Above it is as it is now: please read it again before you answer.',
    closed: 'Your answer was not kept: this document can no longer be answered here.',
    accepted_at: 'Accepted',
    accepted_by: 'By',
    keep: 'Save or print this page: it confirms the acceptance.',
    receipt: 'The receipt with the PDF is sent to the e-mail address that was given.',
  },
};

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PrintedLanguage, printedLanguages } from '../../../domain/printing/printed-document.ts';
import { type ExpiryEmailFacts, expiryEmail } from './expiry-email.ts';

const facts = { company_name: 'Acme SL', company_tax_id: 'B12345674', last_day: '10/04/2027' };
const objects = ['certificate', 'representation'] as const;

type Said = { greeting: string; last: string; rows: [string, string, string] } & Record<
  ExpiryEmailFacts['object'],
  [subject: string, intro: string, remedy: string]
>;
const said: Record<PrintedLanguage, Said> = {
  es: {
    greeting: 'Hola:',
    last: 'Este es el último aviso.',
    rows: ['Empresa', 'NIF', 'Último día'],
    certificate: [
      'El certificado de Acme SL caduca el 10/04/2027',
      'El certificado con el que Acme SL envía y firma sus registros de facturación caduca el 10/04/2027.',
      'Suba antes de ese día uno nuevo en la configuración de VeriFactu, para que los registros se sigan enviando y firmando sin interrupción.',
    ],
    representation: [
      'La representación de Acme SL acaba el 10/04/2027',
      'La representación con la que el servicio envía y firma los registros de facturación de Acme SL acaba el 10/04/2027.',
      'Otorgue antes de ese día una nueva y regístrela en la configuración de VeriFactu, para que los registros se sigan enviando y firmando sin interrupción.',
    ],
  },
  ca: {
    greeting: 'Hola,',
    last: 'Aquest és l’últim avís.',
    rows: ['Empresa', 'NIF', 'Últim dia'],
    certificate: [
      'El certificat de l’empresa Acme SL caduca el 10/04/2027',
      'El certificat amb què Acme SL envia i signa els seus registres de facturació caduca el 10/04/2027.',
      'Pugeu-ne un de nou abans d’aquest dia a la configuració de VeriFactu, perquè els registres es continuïn enviant i signant sense interrupció.',
    ],
    representation: [
      'La representació de l’empresa Acme SL s’acaba el 10/04/2027',
      'La representació amb què el servei envia i signa els registres de facturació de l’empresa Acme SL s’acaba el 10/04/2027.',
      'Atorgueu-ne una de nova abans d’aquest dia i registreu-la a la configuració de VeriFactu, perquè els registres es continuïn enviant i signant sense interrupció.',
    ],
  },
  eu: {
    greeting: 'Kaixo:',
    last: 'Hau da azken abisua.',
    rows: ['Enpresa', 'IFZ', 'Azken eguna'],
    certificate: [
      'Ziurtagiria iraungitzear dago (10/04/2027): Acme SL',
      'Laster iraungiko da Acme SL enpresak fakturazio-erregistroak bidaltzeko eta sinatzeko erabiltzen duen ziurtagiria. Azken eguna: 10/04/2027.',
      'Igo ziurtagiri berri bat egun hori baino lehen VeriFactu konfigurazioan, erregistroak etenik gabe bidaltzen eta sinatzen jarraitzeko.',
    ],
    representation: [
      'Ordezkaritza amaitzear dago (10/04/2027): Acme SL',
      'Laster amaituko da zerbitzuak Acme SL enpresaren fakturazio-erregistroak bidaltzeko eta sinatzeko duen ordezkaritza. Azken eguna: 10/04/2027.',
      'Eman ordezkaritza berri bat egun hori baino lehen eta erregistratu VeriFactu konfigurazioan, erregistroak etenik gabe bidaltzen eta sinatzen jarraitzeko.',
    ],
  },
  gl: {
    greeting: 'Ola:',
    last: 'Este é o último aviso.',
    rows: ['Empresa', 'NIF', 'Último día'],
    certificate: [
      'O certificado de Acme SL caduca o 10/04/2027',
      'O certificado co que Acme SL envía e asina os seus rexistros de facturación caduca o 10/04/2027.',
      'Suba antes dese día un novo na configuración de VeriFactu, para que os rexistros se sigan enviando e asinando sen interrupción.',
    ],
    representation: [
      'A representación de Acme SL remata o 10/04/2027',
      'A representación coa que o servizo envía e asina os rexistros de facturación de Acme SL remata o 10/04/2027.',
      'Outorgue antes dese día unha nova e rexístrea na configuración de VeriFactu, para que os rexistros se sigan enviando e asinando sen interrupción.',
    ],
  },
  en: {
    greeting: 'Hello,',
    last: 'This is the last warning.',
    rows: ['Company', 'Tax ID', 'Last day'],
    certificate: [
      'The certificate of Acme SL expires on 10/04/2027',
      'The certificate with which Acme SL sends and signs its billing records expires on 10/04/2027.',
      'Please upload a new one in the VeriFactu settings before that day, so that records go on being sent and signed without interruption.',
    ],
    representation: [
      'The representation of Acme SL ends on 10/04/2027',
      'The representation by which the service sends and signs the billing records of Acme SL ends on 10/04/2027.',
      'Please grant a new one and register it in the VeriFactu settings before that day, so that records go on being sent and signed without interruption.',
    ],
  },
};

for (const language of printedLanguages) {
  for (const object of objects) {
    test(`${language}: ${object}, the first warning and the last`, () => {
      const { greeting, last, rows, [object]: words } = said[language];
      const [subject, intro, remedy] = words;
      for (const is_last_warning of [false, true]) {
        assert.deepEqual(expiryEmail({ ...facts, object, is_last_warning }, language), {
          subject,
          blocks: [
            { kind: 'paragraph', text: greeting },
            { kind: 'paragraph', text: intro },
            { kind: 'paragraph', text: is_last_warning ? `${remedy}\n${last}` : remedy },
            {
              kind: 'facts',
              rows: [
                { label: rows[0], text: 'Acme SL' },
                { label: rows[1], text: 'B12345674' },
                { label: rows[2], text: '10/04/2027' },
              ],
            },
          ],
        });
      }
    });
  }
}

/** The e-mail words that only invoices use. */
import type { PrintedLanguage } from '../../domain/printing/printed-document.ts';
import type { DocumentEmailWords } from '../sales/index.ts';

export const invoiceWords: Record<PrintedLanguage, DocumentEmailWords> = {
  es: {
    intro: (number) => `Le enviamos la factura ${number}.`,
    button: 'Ver la factura',
    attached: 'La factura va adjunta en PDF.',
  },
  ca: {
    intro: (number) => `Us enviem la factura ${number}.`,
    button: 'Veure la factura',
    attached: 'La factura va adjunta en PDF.',
  },
  eu: {
    intro: (number) => `${number} faktura bidaltzen dizugu.`,
    button: 'Ikusi faktura',
    attached: 'Faktura PDF formatuan doa erantsita.',
  },
  gl: {
    intro: (number) => `Enviámoslle a factura ${number}.`,
    button: 'Ver a factura',
    attached: 'A factura vai anexa en PDF.',
  },
  en: {
    intro: (number) => `Please find invoice ${number} below.`,
    button: 'View invoice',
    attached: 'The invoice is attached as a PDF.',
  },
};

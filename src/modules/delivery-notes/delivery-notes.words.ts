/** The words that only delivery notes use. */
import type { PrintedLanguage } from '../../domain/printing/printed-document.ts';
import type { DocumentEmailWords } from '../sales/index.ts';
import type { NoteStatus } from './rules/states.ts';

type NoteWords = {
  title: string;
  /** Across the page. */
  cancelled: string;
  number: string;
  issued_on: string;
  delivery_date: string;
  statuses: Record<Exclude<NoteStatus, 'draft'>, string>;
  delivery_address: string;
  vehicle_plate: string;
  driver: string;
  carrier: string;
  tracking: string;
  received_by: string;
  no_invoice: string;
  signature: string;
  signed_by: string;
  signed_at: string;
  mail: DocumentEmailWords;
};

export const noteWords: Record<PrintedLanguage, NoteWords> = {
  es: {
    title: 'Albarán',
    cancelled: 'CANCELADO',
    number: 'Número',
    issued_on: 'Fecha',
    delivery_date: 'Fecha de entrega',
    statuses: {
      pending: 'Pendiente de entrega',
      delivered: 'Entregado',
      signed: 'Firmado',
      cancelled: 'Cancelado',
      invoiced: 'Facturado',
    },
    delivery_address: 'Se entrega en',
    vehicle_plate: 'Matrícula',
    driver: 'Conductor',
    carrier: 'Transportista',
    tracking: 'Seguimiento',
    received_by: 'Recibe',
    no_invoice: 'Este albarán no es una factura.',
    signature: 'Firma',
    signed_by: 'Firmado por',
    signed_at: 'Fecha de la firma',
    mail: {
      intro: (number) => `Le enviamos el albarán ${number}.`,
      button: 'Ver el albarán',
      attached: 'El albarán va adjunto en PDF.',
    },
  },
  ca: {
    title: 'Albarà',
    cancelled: 'CANCEL·LAT',
    number: 'Número',
    issued_on: 'Data',
    delivery_date: "Data d'entrega",
    statuses: {
      pending: "Pendent d'entrega",
      delivered: 'Entregat',
      signed: 'Signat',
      cancelled: 'Cancel·lat',
      invoiced: 'Facturat',
    },
    delivery_address: "S'entrega a",
    vehicle_plate: 'Matrícula',
    driver: 'Conductor',
    carrier: 'Transportista',
    tracking: 'Seguiment',
    received_by: 'Rep',
    no_invoice: 'Aquest albarà no és una factura.',
    signature: 'Signatura',
    signed_by: 'Signat per',
    signed_at: 'Data de la signatura',
    mail: {
      intro: (number) => `Us enviem l'albarà ${number}.`,
      button: "Veure l'albarà",
      attached: "L'albarà va adjunt en PDF.",
    },
  },
  eu: {
    title: 'Albarana',
    cancelled: 'BERTAN BEHERA',
    number: 'Zenbakia',
    issued_on: 'Data',
    delivery_date: 'Entrega-data',
    statuses: {
      pending: 'Entregatzeko',
      delivered: 'Entregatuta',
      signed: 'Sinatuta',
      cancelled: 'Bertan behera',
      invoiced: 'Fakturatuta',
    },
    delivery_address: 'Entrega-lekua',
    vehicle_plate: 'Matrikula',
    driver: 'Gidaria',
    carrier: 'Garraiolaria',
    tracking: 'Jarraipena',
    received_by: 'Jasotzailea',
    no_invoice: 'Albaran hau ez da faktura bat.',
    signature: 'Sinadura',
    signed_by: 'Sinatzailea',
    signed_at: 'Sinadura-data',
    mail: {
      intro: (number) => `${number} albarana bidaltzen dizugu.`,
      button: 'Ikusi albarana',
      attached: 'Albarana PDF formatuan doa erantsita.',
    },
  },
  gl: {
    title: 'Albará',
    cancelled: 'CANCELADO',
    number: 'Número',
    issued_on: 'Data',
    delivery_date: 'Data de entrega',
    statuses: {
      pending: 'Pendente de entrega',
      delivered: 'Entregado',
      signed: 'Asinado',
      cancelled: 'Cancelado',
      invoiced: 'Facturado',
    },
    delivery_address: 'Entrégase en',
    vehicle_plate: 'Matrícula',
    driver: 'Condutor',
    carrier: 'Transportista',
    tracking: 'Seguimento',
    received_by: 'Recibe',
    no_invoice: 'Este albará non é unha factura.',
    signature: 'Sinatura',
    signed_by: 'Asinado por',
    signed_at: 'Data da sinatura',
    mail: {
      intro: (number) => `Enviámoslle o albará ${number}.`,
      button: 'Ver o albará',
      attached: 'O albará vai anexo en PDF.',
    },
  },
  en: {
    title: 'Delivery note',
    cancelled: 'CANCELLED',
    number: 'Delivery note number',
    issued_on: 'Date',
    delivery_date: 'Delivery date',
    statuses: {
      pending: 'To be delivered',
      delivered: 'Delivered',
      signed: 'Signed',
      cancelled: 'Cancelled',
      invoiced: 'Invoiced',
    },
    delivery_address: 'Delivered to',
    vehicle_plate: 'Vehicle',
    driver: 'Driver',
    carrier: 'Carrier',
    tracking: 'Tracking',
    received_by: 'Received by',
    no_invoice: 'This delivery note is not an invoice.',
    signature: 'Signature',
    signed_by: 'Signed by',
    signed_at: 'Signed on',
    mail: {
      intro: (number) => `Please find delivery note ${number} below.`,
      button: 'View delivery note',
      attached: 'The delivery note is attached as a PDF.',
    },
  },
};

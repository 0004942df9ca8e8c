/** Quotes, pro-formas, delivery notes and a month's invoice, as the service prints them. All names are invented. */
import type { PrintedLanguage } from '../../src/domain/printing/printed-document.ts';
import type { LineInput } from '../../src/domain/sales/line-input.ts';
import { deliveryNotes } from '../../src/modules/delivery-notes/index.ts';
import type { NoteBundle, NoteRow } from '../../src/modules/delivery-notes/delivery-notes.rows.ts';
import { printInvoice } from '../../src/modules/invoices/rules/printed-invoice.ts';
import { proformas } from '../../src/modules/proformas/index.ts';
import { quotes } from '../../src/modules/quotes/index.ts';
import type { Family } from '../../src/modules/sales/family.ts';
import { writePng } from './png.ts';
import { invoiceSource, printedIssuer, storedBundle } from './printed-cases.ts';
import { sampleLogos } from './printed-sample-logos.ts';
import type { PrintedSample } from './printed-samples.ts';

const works: LineInput[] = [
  {
    description: 'Elevador de dos columnas, 4.000 kg, con montaje y puesta en marcha',
    quantity: 1,
    unit_price: 3890,
    tax_rate: 21,
  },
  { description: 'Foso: obra civil y desagüe', quantity: 12.5, unit: 'm²', unit_price: 96.4, tax_rate: 10 },
  {
    description: 'Compresor silencioso de 270 l',
    quantity: 2,
    unit: 'ud.',
    unit_price: 745,
    discount_percent: 7.5,
    tax_rate: 21,
  },
];

const parts: LineInput[] = [
  { description: 'Filtro de aceite W 712/95', quantity: 24, unit: 'ud.', unit_price: 6.35, tax_rate: 21 },
  {
    description: 'Pastillas de freno delanteras',
    quantity: 8,
    unit: 'juego',
    unit_price: 31.9,
    tax_rate: 21,
  },
  {
    description: 'Anticongelante orgánico 50 %, garrafa de 5 l',
    quantity: 12,
    unit: 'ud.',
    unit_price: 11.2,
    tax_rate: 21,
  },
  {
    description: 'Devolución: batería 70 Ah defectuosa',
    quantity: -1,
    unit: 'ud.',
    unit_price: 84.5,
    tax_rate: 21,
  },
];

type Changed = Record<string, unknown>;

/** What the kind adds is in `change`. */
function printed(
  // biome-ignore lint/suspicious/noExplicitAny: of any family
  family: Family<any, any>,
  lines: readonly LineInput[],
  change: Changed,
  { language = 'es', parts = {} }: { language?: PrintedLanguage; parts?: object } = {},
) {
  const bundle = { ...storedBundle(lines, change as Partial<NoteRow & { status: never }>), ...parts };
  return family.paper!.print({
    bundle,
    issuer: printedIssuer,
    environment: 'live',
    logo: sampleLogos.wide,
    language,
  });
}

const offer = {
  status: 'pending',
  valid_until: '2026-12-21',
  content_version: 1,
  acceptance: null,
  rejection: null,
};

const quote = {
  ...offer,
  number: 'P2026-00041',
  series_code: 'P',
  description: 'Reforma de la zona de elevadores',
  notes:
    'Plazo de entrega: tres semanas desde la aceptación.\nEl montaje se hace en fin de semana, sin cerrar el taller.',
};

const proforma = {
  ...offer,
  number: 'FP2026-00009',
  series_code: 'FP',
  description: 'Pedido 4500012345',
  shipping_cost: '60.50',
  shipping_tax: null,
  total: '7760.58',
};

const note = {
  status: 'delivered',
  number: 'A2026-00107',
  series_code: 'A',
  delivery_date: '2026-11-20',
  delivery_address: {
    line1: 'Polígono industrial de Cogullada, calle Miguel Faraday',
    number: '24',
    postal_code: '50014',
    city: 'Zaragoza',
    province: 'Zaragoza',
    country: 'ES',
  },
  show_prices: true,
  vehicle_plate: '4521 LKM',
  driver: { name: 'Íñigo Larrañaga', tax_id: '12345678Z' },
  tracking: { number: 'ES0098127736', carrier: 'Transportes del Ebro, S. L.' },
  received_by: null,
  billing_emails: [],
  signed_at: null,
};

/** A stroke of a pen on white. */
function handwriting(): string {
  const [width, height] = [600, 200];
  const rgba = new Uint8Array(width * height * 4).fill(255);
  const dot = (x: number, y: number) => {
    for (let dy = -2; dy <= 2; dy++)
      for (let dx = -2; dx <= 2; dx++)
        rgba.set([20, 30, 90, 255], (Math.round(y + dy) * width + Math.round(x + dx)) * 4);
  };
  for (let t = 0; t < 1; t += 0.0004) {
    const swing = Math.sin(t * 34) * 55 * (1 - t * 0.7);
    dot(40 + t * 480 + Math.cos(t * 34) * 24, 100 + swing - t * 20);
  }
  return writePng(width, height, rgba).toString('base64');
}

const signature: NoteBundle['signature'] = {
  delivery_note_id: '0199c000-0000-7000-8000-00000000000f',
  signed_by: 'Eva Ruiz Sarasola',
  signer_tax_id: '12345678Z',
  image_media_type: 'image/png',
  ip: null,
  user_agent: null,
  signed_at: '2026-11-20T09:12:00.000Z',
  signed_on: '2026-11-20',
  erased_at: null,
};

/** Three deliveries of November, one of them a return. */
function month(): ReturnType<typeof printInvoice> {
  const deliveries = ['2026-11-03', '2026-11-12', '2026-11-20'];
  const sold = deliveries.flatMap((_, at) => parts.slice(at, at + 2));
  const bundle = storedBundle(sold, {
    number: 'F2026-00031',
    operation_on: '2026-11-30',
    issued_on: '2026-12-01',
    due_on: '2026-12-31',
  });
  const lines = bundle.lines.map((line, index) => {
    const at = index >> 1;
    const number = `A2026-00${101 + at * 3}`;
    const source = {
      object: 'delivery_note',
      id: `note-${at}`,
      number,
      operation_on: deliveries[at] ?? null,
      line_id: line.id,
    };
    return { ...line, details: { ...line.details, source } };
  });
  return printInvoice(invoiceSource({ ...bundle, lines }, { logo: sampleLogos.wide }));
}

const long = {
  client_name:
    'Sociedad Cooperativa de Transportistas y Distribuidores de Recambios del Valle Medio del Ebro, S. Coop. Ltda.',
  delivery_address: {
    ...note.delivery_address,
    line1: 'Plataforma logística PLAZA, avenida de la Ingeniería Aeronáutica Internacional',
    floor: 'nave 14',
    door: 'muelle 3',
  },
};

const documents: Record<string, ReturnType<typeof printInvoice>> = {
  'a4-quote': printed(quotes, works, quote),
  'a4-proforma': printed(proformas, works, proforma),
  'a4-delivery-note': printed(deliveryNotes, parts, note, { parts: { signature: null } }),
  'a4-delivery-note-unvalued': printed(
    deliveryNotes,
    parts,
    { ...note, ...long, show_prices: false },
    { parts: { signature: null } },
  ),
  'a4-delivery-note-signed': printed(
    deliveryNotes,
    parts,
    {
      ...note,
      status: 'signed',
      signed_at: signature!.signed_at,
      received_by: { name: 'Eva Ruiz Sarasola', tax_id: '12345678Z' },
    },
    { parts: { signature, image: { media_type: 'image/png', base64: handwriting() } } },
  ),
  'a4-recapitulative': month(),
};

export const printedFamilies: readonly PrintedSample[] = Object.entries(documents).map(
  ([name, document]): PrintedSample => ({ name, format: 'a4', document }),
);

export function printedFamily(name: string): ReturnType<typeof printInvoice> {
  const found = documents[name];
  if (!found) throw new Error(`no printed document ${name}`);
  return found;
}

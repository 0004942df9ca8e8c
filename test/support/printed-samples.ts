/**
 * Every case of the templates: languages, formats, many lines, long and foreign texts, marks, each block present and
 * absent. All names are invented.
 */
import type {
  LabelledText,
  PrintedDocument,
  PrintedFormat,
  PrintedLanguage,
  PrintedLine,
  PrintedParty,
  PrintedTaxRow,
} from '../../src/domain/printing/printed-document.ts';
import { sampleLogos } from './printed-sample-logos.ts';
import { sampleMoney, sampleRate, sampleWords } from './printed-sample-words.ts';

/** Price in cents; rates and discount in hundredths of a percent. */
type Sold = {
  description: string;
  quantity: number;
  price: number;
  rate: number;
  surcharge?: number;
  discount?: number;
  unit?: string;
  details?: string[];
};

type Sample = {
  language?: PrintedLanguage;
  sold: readonly Sold[];
  /** Hundredths of a percent of the base. */
  retention?: number;
  qr?: 'verifactu' | 'no_verifactu' | null;
  change?: Partial<PrintedDocument>;
};

const issuer: PrintedParty = {
  label: 'Emisor',
  name: 'Cerámicas Montalbán, S. L.',
  commercial_name: 'Montalbán',
  tax_id: { label: 'NIF', text: 'B12345674' },
  address_lines: ['Calle del Alfarero, 14, bajo', '12200 Onda (Castellón)'],
  contact: ['hola@montalban.example', '+34 964 12 34 56', 'montalban.example'],
};

const client: PrintedParty = {
  label: 'Cliente',
  name: 'Estudio Ribera Arquitectos, S. L. P.',
  commercial_name: null,
  tax_id: { label: 'NIF', text: 'B87654323' },
  address_lines: ['Avenida de la Constitución, 200, 3.º B', '41001 Sevilla'],
  contact: [],
};

const tiles: readonly Sold[] = [
  {
    description: 'Azulejo artesano vidriado 15 × 15 cm, verde botella',
    quantity: 48,
    price: 2_450,
    rate: 2100,
    unit: 'm²',
    discount: 500,
  },
  {
    description: 'Pieza de remate, media caña',
    quantity: 120,
    price: 385,
    rate: 2100,
    unit: 'ud.',
  },
  {
    description: 'Proyecto de colocación y replanteo en obra',
    quantity: 1,
    price: 64_000,
    rate: 2100,
    details: ['Incluye dos visitas a la obra y los planos de despiece'],
  },
  { description: 'Manual «Cuidado del azulejo», ed. en papel', quantity: 3, price: 1_800, rate: 400 },
];

const iban = 'ES91 2100 0418 4502 0005 1332';

/** Amounts, breakdown and totals agree. */
function makeDocument({
  language = 'es',
  sold,
  retention,
  qr = 'verifactu',
  change,
}: Sample): PrintedDocument {
  const words = sampleWords[language];
  const money = (cents: number) => sampleMoney(cents, language);
  const rate = (hundredths: number) => sampleRate(hundredths, language);

  let carried = 0;
  const groups = new Map<string, { rate: number; surcharge: number; base: number }>();
  const lines = sold.map((line): PrintedLine => {
    const amount = Math.round((line.quantity * line.price * (10_000 - (line.discount ?? 0))) / 10_000);
    carried += amount;
    const surcharge = line.surcharge ?? 0;
    const group = groups.get(`${line.rate}/${surcharge}`) ?? { rate: line.rate, surcharge, base: 0 };
    groups.set(`${line.rate}/${surcharge}`, { ...group, base: group.base + amount });
    return {
      description: line.description,
      details: line.details ?? [],
      quantity: line.quantity.toLocaleString(language),
      unit: line.unit ?? null,
      unit_price: money(line.price),
      discount: line.discount === undefined ? null : rate(line.discount),
      tax: surcharge === 0 ? rate(line.rate) : `${rate(line.rate)} + RE ${rate(surcharge)}`,
      amount: money(amount),
      carried: money(carried),
    };
  });

  const has_surcharge = [...groups.values()].some((group) => group.surcharge > 0);
  let taxes = 0;
  const rows = [...groups.values()].map((group): PrintedTaxRow => {
    const tax = Math.round((group.base * group.rate) / 10_000);
    const surcharge = Math.round((group.base * group.surcharge) / 10_000);
    taxes += tax + surcharge;
    return {
      label: `IVA ${rate(group.rate)}`,
      base: money(group.base),
      rate: rate(group.rate),
      tax: money(tax),
      surcharge_rate: has_surcharge ? rate(group.surcharge) : null,
      surcharge: has_surcharge ? money(surcharge) : null,
    };
  });

  const total = carried + taxes;
  const retained = retention === undefined ? 0 : Math.round((carried * retention) / 10_000);
  return {
    language,
    title: words.title,
    number: 'F2026-00012',
    file_title: `${words.title} F2026-00012`,
    marks: [],
    issuer: { ...issuer, label: words.issuer, tax_id: { label: words.tax_id, text: 'B12345674' } },
    recipient: { ...client, label: words.client, tax_id: { label: words.tax_id, text: 'B87654323' } },
    logo: sampleLogos.wide,
    colour: '#0f766e',
    facts: [
      { label: words.issued_on, text: '12/03/2026' },
      { label: words.due_on, text: '11/04/2026' },
    ],
    column_labels: { ...words.columns, amount: words.amount },
    lines,
    carried_labels: { forward: words.forward, brought: words.brought },
    breakdown: { title: words.breakdown, column_labels: taxLabels(words), rows },
    sums: [
      { label: words.base, text: money(carried) },
      { label: 'IVA', text: money(taxes) },
    ],
    total: { label: words.total, text: money(total) },
    retention:
      retention === undefined
        ? null
        : { label: `${words.retention} ${rate(retention)}`, text: money(-retained) },
    amount_due: retention === undefined ? null : { label: words.amount_due, text: money(total - retained) },
    mentions: [],
    payment: {
      title: words.payment,
      rows: [
        { label: words.method, text: words.transfer },
        { label: 'IBAN', text: iban },
        { label: words.due_on, text: '11/04/2026' },
      ],
    },
    notes: null,
    qr: qrOf(qr, total),
    page_label: words.page,
    made_at: '2026-03-12T09:30:00Z',
    ...change,
  };
}

/** @param total in cents */
function qrOf(mode: NonNullable<Sample['qr']> | null, total: number): PrintedDocument['qr'] {
  if (mode === null) return null;
  const page = mode === 'verifactu' ? 'ValidarQR' : 'ValidarQRNoVerifactu';
  return {
    url:
      `https://prewww2.aeat.es/wlpl/TIKE-CONT/${page}?nif=B12345674&numserie=F2026-00012&fecha=12-03-2026` +
      `&importe=${(total / 100).toFixed(2)}`,
    above: 'QR tributario:',
    below: mode === 'verifactu' ? 'VERI*FACTU' : null,
  };
}

const taxLabels = (words: (typeof sampleWords)[PrintedLanguage]) => ({
  label: words.columns.tax,
  base: words.base,
  rate: words.rate,
  tax: words.tax,
  surcharge_rate: 'R. E.',
  surcharge: words.surcharge,
});

const texts = (...pairs: [string, string][]): LabelledText[] =>
  pairs.map(([label, text]) => ({ label, text }));

const coffee: readonly Sold[] = [
  { description: 'Café con leche', quantity: 2, price: 145, rate: 1000 },
  {
    description: 'Tostada de pan de masa madre con tomate y jamón ibérico',
    quantity: 2,
    price: 482,
    rate: 1000,
  },
  { description: 'Botella de agua mineral 50 cl', quantity: 1, price: 136, rate: 1000 },
  { description: 'Taza de cerámica «La Plazuela»', quantity: 1, price: 991, rate: 2100, discount: 1000 },
];

const bar: Partial<PrintedDocument> = {
  title: 'Factura simplificada',
  number: 'T1-004711',
  file_title: 'Factura simplificada T1-004711',
  issuer: {
    label: 'Emisor',
    name: 'Hostelería La Plazuela, S. L.',
    commercial_name: 'Café La Plazuela',
    tax_id: { label: 'NIF', text: 'B12345674' },
    address_lines: ['Plaza Mayor, 3', '37002 Salamanca'],
    contact: ['923 12 34 56'],
  },
  recipient: null,
  logo: sampleLogos.square,
  colour: null,
  facts: texts(['Fecha de expedición', '12/03/2026'], ['Hora', '09:42']),
  payment: { title: 'Forma de pago', rows: texts(['Tarjeta', '26,08\u00a0€']) },
  notes: { title: 'Observaciones', text: '¡Gracias por su visita!' },
};

/** Ten kinds in turn. Every seventh is long; every eleventh has details. */
function manyLines(count: number): Sold[] {
  const things = [
    'Tornillo',
    'Arandela',
    'Tuerca',
    'Perfil',
    'Bisagra',
    'Cerradura',
    'Pomo',
    'Muelle',
    'Tope',
    'Guía',
  ];
  return Array.from({ length: count }, (_, i): Sold => {
    const thing = `${things[i % 10]} ref. ${(10_000 + i * 37).toString()}`;
    return {
      description:
        i % 7 === 3 ? `${thing}, acero inoxidable AISI 316, para exteriores y ambientes marinos` : thing,
      details: i % 11 === 5 ? ['Lote 2026/118'] : [],
      quantity: (i % 9) + 1,
      price: 125 + ((i * 7_919) % 9_000),
      rate: i % 13 === 0 ? 1000 : 2100,
      unit: 'ud.',
    };
  });
}

const long_name =
  'Sociedad Cooperativa Agroalimentaria de Segundo Grado Nuestra Señora de la Asunción y San Isidro Labrador del Valle Alto';

const long_description =
  'Servicio de consultoría para la revisión integral de los procesos de almacén, con levantamiento de planos, toma de ' +
  'tiempos, entrevistas con los responsables de cada turno y redacción de un informe de conclusiones. ';

const draftFacts = texts(['Fecha prevista', '15/03/2026']);

const drinks = [
  'Zażółć gęślą jaźń',
  'Příliš žluťoučký kůň',
  'Țuică și brânză',
  'Þjóðlegt skyr',
  'Çağdaş içecek',
];

/** Twelve rates with surcharge: the longest breakdown possible. */
const manyRates: readonly Sold[] = Array.from({ length: 12 }, (_, i) => ({
  description: `Mercancía al tipo ${i + 1}`,
  quantity: 10 + i,
  price: 1_250 + i * 333,
  rate: 400 + i * 150,
  surcharge: 50 + i * 40,
}));

export type PrintedSample = { name: string; format: PrintedFormat; document: PrintedDocument };

const a4 = (name: string, sample: Sample): PrintedSample => ({
  name,
  format: 'a4',
  document: makeDocument(sample),
});

const ticket = makeDocument({ sold: coffee, change: bar });

const translated = (['es', 'ca', 'eu', 'gl', 'en'] as const).map((language) =>
  a4(`a4-${language}`, { language, sold: tiles }),
);

const translatedTickets = (
  [
    ['ca', 'ticket_58'],
    ['eu', 'ticket_80'],
    ['gl', 'ticket_58'],
    ['en', 'ticket_80'],
  ] as const
).map(([language, format]): PrintedSample => {
  const { simplified, issued_on, payment } = sampleWords[language];
  const document = makeDocument({
    language,
    sold: coffee,
    change: { ...bar, title: simplified, facts: texts([issued_on, '12/03/2026']), notes: null },
  });
  return {
    name: `${format.replace('_', '-')}-${language}`,
    format,
    document: { ...document, payment: document.payment && { ...document.payment, title: payment } },
  };
});

export const printedSamples: readonly PrintedSample[] = [
  ...translated,
  { name: 'ticket-80', format: 'ticket_80', document: ticket },
  { name: 'ticket-58', format: 'ticket_58', document: ticket },
  ...translatedTickets,
  {
    name: 'ticket-80-long',
    format: 'ticket_80',
    document: makeDocument({
      sold: [...coffee, ...manyRates.slice(0, 5)],
      retention: 1500,
      change: {
        marks: ['BORRADOR', 'SIN VALIDEZ FISCAL'],
        logo: null,
        mentions: ['Operación exenta de IVA según el artículo 20 de la Ley 37/1992.'],
        qr: {
          url: `https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=${'A%2F'.repeat(30)}&fecha=12-03-2026&importe=123456789.12`,
          above: 'QR tributario:',
          below: 'Factura verificable en la sede electrónica de la AEAT',
        },
      },
    }),
  },
  {
    name: 'ticket-58-long',
    format: 'ticket_58',
    document: makeDocument({
      language: 'eu',
      sold: [
        ...manyLines(9),
        {
          description: 'Elektroenzefalografistarentzako-ordezko-pieza-berezia',
          quantity: 12_345,
          price: 9_999_999,
          rate: 2100,
        },
      ],
      change: {
        marks: ['SIN VALIDEZ FISCAL'],
        logo: sampleLogos.tall,
        notes: {
          title: 'Oharrak',
          text: 'Eskerrik asko!\nEz da itzulketarik onartzen 15 egun igaro ondoren.',
        },
      },
    }),
  },
  a4('a4-corrective', {
    sold: [
      {
        description: 'Abono de 12 m² de azulejo artesano vidriado 15 × 15 cm, verde botella',
        quantity: -12,
        price: 2_450,
        rate: 2100,
        unit: 'm²',
      },
    ],
    change: {
      title: 'Factura rectificativa',
      number: 'R2026-00003',
      file_title: 'Factura rectificativa R2026-00003',
      facts: texts(
        ['Fecha de expedición', '20/03/2026'],
        ['Fecha de operación', '12/03/2026'],
        ['Rectifica a', 'F2026-00012 (12/03/2026), F2026-00015 (14/03/2026), F2026-00018 (16/03/2026)'],
        ['Tipo', 'Por diferencias (R1, art. 80.1 LIVA)'],
        ['Motivo', 'Devolución de mercancía por rotura en el transporte'],
      ),
      payment: null,
    },
  }),
  a4('a4-200-lines', { sold: manyLines(200) }),
  a4('a4-long-texts', {
    sold: [
      {
        description: long_description.repeat(5).slice(0, 1000),
        quantity: 1,
        price: 1_234_567_89,
        rate: 2100,
      },
      {
        description: 'Sustitución',
        details: [
          `Descuento por volumen. ${long_description}`,
          'Exenta según el artículo 20.Uno.9.º de la Ley 37/1992',
        ],
        quantity: 1_234_567,
        price: 9_999_999,
        rate: 2100,
        discount: 3333,
        unit: 'unidad de facturación de cuarenta letras',
      },
      {
        description: `REF-${'ABCDEFGHIJ0123456789'.repeat(6)}`,
        quantity: 1,
        price: 100,
        rate: 0,
      },
    ],
    change: {
      title: 'Factura rectificativa simplificada',
      number: 'SERIE-LARGUISIMA-DE-PRUEBA-2026/DELEGACION-NORTE/0000000012',
      file_title: 'Factura rectificativa simplificada SERIE-LARGUISIMA',
      logo: null,
      colour: '#ffe94d',
      issuer: {
        ...issuer,
        name: long_name,
        address_lines: [
          'Polígono Industrial de la Ermita Vieja, calle de los Almendros, 1234, nave 56, puerta 7, módulo C',
          '46980 Paterna (València)',
        ],
        contact: [
          'administracion.facturacion.delegacion-norte@cooperativa-nuestra-senora.example',
          '+34 961 23 45 67',
          'https://www.cooperativa-nuestra-senora-de-la-asuncion.example',
        ],
      },
      recipient: {
        ...client,
        name: long_name.toUpperCase(),
        commercial_name: 'Cooperativa del Valle Alto',
        contact: ['compras@valle-alto.example'],
      },
      mentions: [
        'Operación exenta de IVA según el artículo 20.Uno.9.º de la Ley 37/1992, de 28 de diciembre, del Impuesto sobre el Valor Añadido.',
        'Inversión del sujeto pasivo.',
        'Régimen especial del criterio de caja.',
        'Facturación por el destinatario.',
      ],
      notes: {
        title: 'Observaciones',
        text: `${long_description.repeat(10)}\n\n${long_description.repeat(12)}`.slice(0, 5000),
      },
      qr: {
        url: `https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=SERIE-LARGUISIMA-DE-PRUEBA-2026%2FDELEGACION-NORTE%2F0000000012&fecha=12-03-2026&importe=123456789.12`,
        above: 'QR tributario:',
        below: 'Factura verificable en la sede electrónica de la AEAT',
      },
    },
  }),
  a4('a4-twelve-rates', {
    sold: manyRates,
    retention: 1500,
    change: { logo: sampleLogos.tall, colour: '#b91c1c' },
  }),
  a4('a4-exempt', {
    language: 'en',
    sold: [
      {
        description: 'Handmade tiles, delivery to Hamburg (Incoterms DAP)',
        quantity: 400,
        price: 1_950,
        rate: 0,
        unit: 'm²',
      },
    ],
    change: {
      colour: '#1d4ed8',
      logo: null,
      recipient: {
        label: 'Bill to',
        name: 'Hansa Fliesenhandel GmbH & Co. KG',
        commercial_name: null,
        tax_id: { label: 'VAT ID', text: 'DE123456789' },
        address_lines: ['Große Elbstraße 145', '22767 Hamburg', 'Germany'],
        contact: ['einkauf@hansa-fliesen.example'],
      },
      breakdown: {
        title: 'Tax breakdown',
        column_labels: {
          label: 'Tax',
          base: 'Taxable base',
          rate: 'Rate',
          tax: 'Tax',
          surcharge_rate: 'R. E.',
          surcharge: 'Surcharge',
        },
        rows: [
          {
            label: 'Exempt, intra-Community supply (art. 25 LIVA)',
            base: '€7,800.00',
            rate: '',
            tax: '',
            surcharge_rate: null,
            surcharge: null,
          },
        ],
      },
      mentions: [
        'Exempt intra-Community supply: article 25 of Law 37/1992 (article 138 of Directive 2006/112/EC).',
        'Reverse charge (inversión del sujeto pasivo).',
      ],
    },
  }),
  a4('a4-foreign', {
    language: 'en',
    sold: [{ description: 'Design licence, 12 months', quantity: 1, price: 120_000, rate: 0 }],
    qr: 'no_verifactu',
    change: {
      recipient: {
        label: 'Bill to',
        name: 'Ōkura & O’Brien Holdings, Inc.',
        commercial_name: 'OOH',
        tax_id: { label: 'Foreign tax number', text: '12-3456789' },
        address_lines: [
          '1600 Amphitheatre Parkway',
          'Suite 4200, Building 40',
          'Mountain View, CA 94043-1351',
          'United States of America',
        ],
        contact: [],
      },
      mentions: ['Not subject to Spanish VAT: article 69.One.1 of Law 37/1992.'],
    },
  }),
  a4('a4-draft', {
    sold: tiles.slice(0, 2),
    qr: null,
    change: {
      number: null,
      file_title: 'Factura (borrador)',
      marks: ['BORRADOR'],
      recipient: null,
      payment: null,
      facts: draftFacts,
    },
  }),
  a4('a4-sandbox', { sold: tiles, change: { marks: ['SIN VALIDEZ FISCAL'], logo: sampleLogos.photo } }),
  a4('a4-sandbox-200-lines', { sold: manyLines(200), change: { marks: ['ANULADA', 'SIN VALIDEZ FISCAL'] } }),
  a4('a4-annulled', { sold: tiles, change: { marks: ['ANULADA'] } }),
  a4('a4-names', {
    sold: drinks.map((description, i) => ({ description, quantity: i + 1, price: 1_000, rate: 2100 })),
    change: {
      logo: null,
      colour: null,
      recipient: {
        ...client,
        name: 'Ευάγγελος Παπαδόπουλος και Υιοί Α.Ε.',
        commercial_name: 'Щастливият къщовник ЕООД',
        address_lines: [
          'Łódź, ul. Świętokrzyska 5',
          'Ađđuæþ ŋŁőűŵŷẁȚțȘșĦħĠġĊċŻż',
          'İstanbul, Şişli, Büyükdere Cd. № 12',
        ],
        contact: ['Ђорђе Њујић, Київ, Ґалаґан Їжак'],
      },
      notes: {
        title: 'Observaciones',
        text: 'Preços em €, £, ₺, ₴; “comillas”, «latinas», „niskie”; L·L, ŀ, ª, º, ½, ², –, —, …, ‰, ×, ÷, −, №',
      },
    },
  }),
  a4('a4-other-scripts', {
    sold: [{ description: 'Té verde 緑茶 🍵 y «שלום», سلام', quantity: 1, price: 1_000, rate: 1000 }],
    change: { recipient: { ...client, name: '株式会社みどり (Midori K. K.)' } },
  }),
  a4('a4-quote', {
    sold: tiles.slice(0, 3),
    qr: null,
    change: {
      title: 'Presupuesto',
      number: 'P2026-00041',
      file_title: 'Presupuesto P2026-00041',
      logo: sampleLogos.square,
      colour: '#7c3aed',
      facts: texts(['Fecha', '01/03/2026'], ['Válido hasta', '31/03/2026']),
      payment: null,
      notes: {
        title: 'Condiciones',
        text: 'Plazo de entrega: tres semanas desde la aceptación.\nPortes incluidos en la península.',
      },
    },
  }),
  a4('a4-delivery-note', {
    sold: tiles.slice(0, 3),
    qr: null,
    change: {
      title: 'Albarán',
      number: 'A2026-00107',
      file_title: 'Albarán A2026-00107',
      lines: tiles.slice(0, 3).map((line) => ({
        description: line.description,
        details: line.details ?? [],
        quantity: line.quantity.toString(),
        unit: line.unit ?? null,
        unit_price: '',
        discount: null,
        tax: '',
        amount: '',
        carried: '',
      })),
      breakdown: {
        title: '',
        column_labels: { label: '', base: '', rate: '', tax: '', surcharge_rate: '', surcharge: '' },
        rows: [],
      },
      sums: [],
      total: { label: '', text: '' },
      payment: null,
      facts: texts(['Fecha de entrega', '05/03/2026'], ['Pedido', '4500012345']),
    },
  }),
];

export function printedSample(name: string): PrintedSample {
  const found = printedSamples.find((sample) => sample.name === name);
  if (!found) throw new Error(`no printed sample ${name}`);
  return found;
}

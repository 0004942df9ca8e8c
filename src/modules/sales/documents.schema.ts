/** Sales documents on the wire: input and answer. A family adds its own members and words. */
import { type DocumentNames, ofThe } from '../../domain/sales/document-kinds.ts';
import { type DocumentRow, lineKinds, type LineRow, type TaxRow } from '../../domain/sales/rows.ts';
import { presentDetails } from '../../domain/sales/line-details.ts';
import { lineReadOnly } from '../../domain/sales/merge-lines.ts';
import { nullableToJson, printedToJson } from '../../domain/money/printed.ts';
import type { AmountColumns } from '../../domain/sales/build-rows.ts';
import { NeedsScope } from '../../kernel/output-scopes.ts';
import type { Ports } from '../../kernel/ports.ts';
import { readOnlyKeys } from '../../kernel/read-only.ts';
import {
  DayText,
  Decimal,
  Described,
  Enum,
  Metadata,
  Money,
  Nullable,
  PercentInput,
  RateInput,
  Shape,
  type Static,
  Tags,
  Name,
  Text,
  Timestamp,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { EmailBlock } from '../emails/index.ts';
import { opensPaper, paperScope, PdfBlock, type Reader } from '../pdfs/index.ts';
import { chosenOptionIds } from '../products/index.ts';
import { type BundleOf, type Family, paperKindOf } from './family.ts';

/** Of a document. */
export const linesMax = 500;

const UnitPrice = Decimal(
  { decimals: 8, significant_digits: 15 },
  'Precio unitario en la moneda del documento, hasta 8 decimales y 15 cifras; si se omite, el del producto',
);
const Quantity = Decimal(
  { decimals: 6 },
  'Cantidad, hasta 6 decimales; 1 si se omite, y negativa en lo que se descuenta o se devuelve',
);
export const qualifications = ['S1', 'S2', 'N1', 'N2'] as const;
const exemptionCodes = ['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'] as const;
export const taxKinds = ['vat', 'igic', 'ipsi', 'other'] as const;

const lineFields = {
  id: Type.Optional(
    Described(
      Uuid,
      'Id de una línea que el borrador ya tiene, para modificarla; una línea nueva no lo lleva',
    ),
  ),
  description: Type.Optional(
    Text(1000, { minLength: 1, description: 'Qué es lo que se vende; si se omite, el nombre del producto' }),
  ),
  product_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'Id de un producto activo: da la descripción, la unidad, el precio y el impuesto que la línea no diga',
    ),
  ),
  quantity: Type.Optional(Quantity),
  unit: Type.Optional(
    Nullable(
      Name(40, { description: 'Unidad de la cantidad, por ejemplo h o kg; si se omite, la del producto' }),
    ),
  ),
  kind: Type.Optional(
    Nullable(
      Enum(lineKinds, {
        description:
          'good bien, service servicio: solo los bienes llevan recargo de equivalencia, y del régimen del cliente se sigue otra cosa en cada caso. Si se omite, lo que sea el producto; sin producto, good',
      }),
    ),
  ),
  unit_price: Type.Optional(UnitPrice),
  discount_percent: Type.Optional(
    Described(
      Nullable(PercentInput),
      'Descuento de la línea en porcentaje, de 0 a 100; si se omite, el habitual del cliente. 0 o null, ninguno',
    ),
  ),
  taxes_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'Id de un impuesto de la empresa, que da lo que la línea no diga de él; si no se envían ni taxes_id ni tax_rate, el del producto o, si no tiene, el habitual del cliente. null, ninguno',
    ),
  ),
  tax_kind: Type.Optional(
    Enum(taxKinds, {
      description: 'vat (IVA), igic, ipsi u other; si se omite, la de taxes_id o default_vat, o vat',
    }),
  ),
  tax_rate: Type.Optional(
    Described(
      Nullable(RateInput),
      'Tipo del impuesto en porcentaje. Si se omite, el de taxes_id, el IVA habitual del cliente o el de la empresa, en este orden; una línea exenta o no sujeta no lleva, y con S2 es 0',
    ),
  ),
  retention_rate: Type.Optional(
    Described(
      Nullable(RateInput),
      'Retención (IRPF) en porcentaje, que se resta de lo que hay que pagar; si se omite, la habitual del cliente. 0 o null, ninguna',
    ),
  ),
  surcharge_rate: Type.Optional(
    Described(
      Nullable(RateInput),
      'Recargo de equivalencia en porcentaje, el que corresponde al IVA de la línea. Si se omite, se aplica a los bienes cuando el cliente está sujeto a él; 0 o null, ninguno',
    ),
  ),
  qualification: Type.Optional(
    Nullable(
      Enum(qualifications, {
        description:
          'S1 sujeta y no exenta, S2 con inversión del sujeto pasivo, N1 no sujeta (arts. 7, 14 y otros), N2 no sujeta por reglas de localización. Si se omite, lo que diga el impuesto o el régimen del cliente; si no, S1. No va con exemption_reason',
      }),
    ),
  ),
  exemption_reason: Type.Optional(
    Nullable(
      Enum(exemptionCodes, {
        description:
          'Causa de exención del IVA: E1 art. 20, E2 exportación (art. 21), E3 asimilada a la exportación (art. 22), E4 arts. 23 y 24, E5 entrega intracomunitaria (art. 25), E6 otra. El IGIC tiene las suyas, y solo él E7 y E8. No va con qualification',
      }),
    ),
  ),
  exemption_reason_text: Type.Optional(
    Nullable(Text(500, { description: 'Explicación de la exención, que se imprime con la línea exenta' })),
  ),
  regime_key: Type.Optional(
    Nullable(
      Text(2, {
        pattern: '^[0-9]{2}$',
        description:
          'Clave de régimen de la Agencia Tributaria, de dos cifras: por ejemplo 01 general, 02 exportación, 07 criterio de caja, 09 agencias de viaje mediadoras (en una serie propia), 11 arrendamiento de local. Si se omite, la de taxes_id; si no, 01, o 02 con E2 y E3',
      }),
    ),
  ),
  variant_id: Type.Optional(Described(Nullable(Uuid), 'Id de una variante del producto; null, ninguna')),
  presentation_id: Type.Optional(
    Described(Nullable(Uuid), 'Id de una presentación del producto; null, ninguna'),
  ),
  linked_expense_ids: Type.Optional(
    Type.Array(Uuid, { maxItems: 20, description: 'Ids de facturas recibidas que la línea repercute' }),
  ),
};

const optionsOf = (item: TSchema) =>
  Type.Optional(Type.Array(item, { maxItems: 50, description: 'Opciones elegidas del producto' }));

/** It takes no amounts, because they would be ignored. */
export const NewLineInput = Shape({ ...lineFields, options: optionsOf(Shape(chosenOptionIds)) });

/** It accepts read-only keys, because a client sends back what GET answered. */
const StoredLineInput = Shape({
  ...lineFields,
  options: optionsOf(
    Shape({
      ...chosenOptionIds,
      ...readOnlyKeys(['group', 'value', 'price_delta']),
    }),
  ),
  ...readOnlyKeys(lineReadOnly),
});

export const CustomFields = Type.Array(
  Shape({
    field: Name(40, { minLength: 1, description: 'Nombre del dato' }),
    value: Text(500, { description: 'Valor del dato' }),
  }),
  {
    maxItems: 50,
    description:
      'Datos propios con nombre, 50 como máximo; no se imprimen. Lo enviado sustituye a lo que hubiera',
  },
);

/** These change in every state; content only as the family's state table allows. */
export const labels = {
  metadata: Type.Optional(
    Described(
      Nullable(Metadata),
      'Datos de su programa en pares de clave y texto, 50 como máximo; no se imprimen. Lo enviado sustituye a lo que hubiera',
    ),
  ),
  tags: Type.Optional(
    Described(
      Nullable(Tags),
      'Etiquetas para buscar y agrupar, 50 como máximo; no se imprimen. Lo enviado sustituye a lo que hubiera',
    ),
  ),
  custom_fields: Type.Optional(Nullable(CustomFields)),
};
export const labelKeys = ['metadata', 'tags', 'custom_fields'] as const;

/** Without lines. */
export const contentInput = ({ one, the }: DocumentNames) => ({
  client_id: Type.Optional(
    Described(Nullable(Uuid), `Id del cliente, que no puede estar archivado. Un borrador puede no llevarlo`),
  ),
  series_id: Type.Optional(
    Described(
      Nullable(Uuid),
      `Id de la serie que da el número, del tipo que pide ${the}; la predeterminada de ese tipo si no se indica`,
    ),
  ),
  description: Type.Optional(
    Nullable(Text(500, { description: 'Asunto o descripción general, que se imprime' })),
  ),
  issued_on: Type.Optional(
    Described(
      Nullable(DayText),
      `Fecha ${ofThe(the)}, YYYY-MM-DD, no futura; el día en que toma número si no se indica`,
    ),
  ),
  currency: Type.Optional(Text(3, { pattern: '^[A-Z]{3}$', description: 'ISO 4217; EUR si se omite' })),
  prices_include_tax: Type.Optional(
    Type.Boolean({ description: 'true: unit_price lleva ya los impuestos; false si se omite' }),
  ),
  notes: Type.Optional(Nullable(Text(5000, { description: `Notas que se imprimen en ${one}` }))),
});

const newLinesOf = (item: TSchema) =>
  Type.Array(item, {
    minItems: 1,
    maxItems: linesMax,
    description: 'Líneas, de 1 a 500, en el orden en que se imprimen',
  });
export const newLines = Type.Unsafe<Static<typeof NewLineInput>[]>(newLinesOf(NewLineInput));

/** @param description what repeating the id does */
export const externalIdInput = (description: string) =>
  Type.Optional(Nullable(Text(255, { minLength: 1, description })));

const storedLinesOf = (item: TSchema) =>
  Type.Array(item, {
    minItems: 1,
    maxItems: linesMax,
    description:
      'La lista entera que queda: una línea con id conserva lo que no se envíe de ella, una sin id es nueva, y la que no se nombra se quita',
  });
const storedLines = Type.Unsafe<Static<typeof StoredLineInput>[]>(storedLinesOf(StoredLineInput));

/** With the members of a line that only this kind has. */
function linesOf({ fields: { lines } }: Pick<Family, 'fields'>) {
  if (!lines) return { fresh: newLines, stored: storedLines };
  const sharedBy = ({ properties }: TObject) =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => !lines.without.includes(name)));
  return {
    fresh: newLinesOf(Shape({ ...sharedBy(NewLineInput), ...lines.input })),
    stored: storedLinesOf(
      Shape({ ...sharedBy(StoredLineInput), ...lines.input, ...readOnlyKeys(lines.read_only) }),
    ),
  };
}

type Lacking = Pick<Family, 'without'>;

/** @param members those of all kinds */
function ownedBy<T extends object>({ without = [] }: Lacking, members: T): T {
  return Object.fromEntries(
    Object.entries(members).filter(([name]) => !(without as readonly string[]).includes(name)),
  ) as T;
}

/** Set by the service. A PUT may repeat them unchanged. */
const sharedReadOnly = [
  'object',
  'id',
  'number',
  'series',
  'status',
  'client',
  'subtotal',
  'discount_total',
  'taxes_total',
  'surcharge_total',
  'retention_total',
  'total',
  'amount_due',
  'tax_breakdown',
  'external_id',
  'public_url',
  'created_at',
  'updated_at',
] as const;

/** Members of a creation's answer alone. A client may send them back with the document; they are not looked at. */
const answerBlocks = ['pdf', 'email'] as const;

/**
 * @param sent the body of a PUT
 * @param shown what a read says
 */
export function asRead(
  family: Pick<Family, 'fields'>,
  sent: DocumentBody,
  shown: Readonly<Record<string, unknown>>,
): DocumentBody {
  const { pdf: _, email: __, ...body } = sent;
  return (family.fields.asRead?.(body, shown) ?? body) as DocumentBody;
}

export function readOnlyOf({ fields, without = [] }: Pick<Family, 'fields' | 'without'>): readonly string[] {
  const lacking: readonly string[] = without;
  const fixed = sharedReadOnly.filter((name) => !lacking.includes(name) && !(name in fields.input));
  return [...fixed, ...fields.read_only];
}

/** The body of a PUT. */
export function documentUpdate(family: Pick<Family, 'fields' | 'without' | keyof DocumentNames>): TObject {
  return Shape({
    ...ownedBy(family, contentInput(family)),
    ...family.fields.input,
    lines: Type.Optional(linesOf(family).stored),
    ...labels,
    ...ownedBy(family, readOnlyKeys([...readOnlyOf(family), ...answerBlocks])),
  });
}

export function documentInput(family: Pick<Family, 'fields' | 'without' | keyof DocumentNames>): TObject {
  return Shape({
    ...ownedBy(family, contentInput(family)),
    ...family.fields.input,
    ...family.fields.new_input,
    lines: linesOf(family).fresh,
    external_id: externalIdInput(
      `Clave ${ofThe(family.the)} en su programa, única en la empresa: repetir la llamada con ella responde con lo que ya existe`,
    ),
    ...labels,
  });
}

const bodyShape = Shape({
  ...contentInput({ object: '', one: '', many: '', the: '' }),
  lines: Type.Optional(storedLines),
  external_id: externalIdInput(''),
  ...labels,
});

/** How a call names who is on the other side. Shared code reads `client_id` of all. */
export const partyParam = ({ party }: Pick<Family, 'party'>): string => `${party}_id`;

/** The members stay in their order: a refusal names the first. */
export function contentOf(family: Pick<Family, 'party'>, sent: unknown): DocumentBody {
  const body = sent as DocumentBody;
  const named = partyParam(family);
  if (named === 'client_id' || body[named] === undefined) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key === named ? 'client_id' : key, value]),
  ) as DocumentBody;
}

/** What shared code reads of a POST or PUT body. */
export type DocumentBody = Static<typeof bodyShape> & Record<string, unknown>;

const Named = { id: Uuid, name: Type.String() };

const shownDetails = {
  variant: Described(Nullable(Type.Object(Named)), 'Variante del producto'),
  presentation: Described(
    Nullable(Type.Object({ ...Named, factor: Type.Number({ description: 'Unidades que hay en cada una' }) })),
    'Presentación en la que se vende',
  ),
  options: Type.Array(
    Type.Object({
      group: Type.Object(Named),
      value: Type.Object(Named),
      price_delta: Type.Number({ description: 'Lo que suma al precio unitario' }),
    }),
    { description: 'Opciones elegidas del producto' },
  ),
  linked_expenses: Type.Array(Type.Object({ id: Uuid, number: Type.String() }), {
    description: 'Facturas recibidas que la línea repercute',
  }),
  original_pack_data: Described(
    Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
    'El pack del que formaba parte, como era',
  ),
  source: Described(
    Nullable(
      Type.Object({
        object: Type.String({ description: 'Clase de documento' }),
        id: Uuid,
        number: Nullable(Type.String()),
        operation_on: Nullable(DayText),
        line_id: Uuid,
      }),
    ),
    'La línea del documento convertido de la que viene',
  ),
  price_includes_tax: Type.Boolean({
    description:
      'true: el precio de esta línea lleva los impuestos aunque prices_include_tax sea false, como los gastos de envío de una proforma convertida',
  }),
};

/** @param object `invoice_line` */
const lineOf = (object: string, own?: TProperties) =>
  Type.Object({
    object: Type.Literal(object),
    id: Described(Uuid, 'Id de la línea'),
    description: Type.String({ description: 'Qué es lo que se vende' }),
    product: Described(
      Nullable(Type.Object({ id: Uuid, name: Type.String() })),
      'Producto del que se tomó lo que la línea no decía',
    ),
    quantity: Type.Number({ description: 'Cantidad' }),
    unit: Nullable(Type.String({ description: 'Unidad de la cantidad' })),
    kind: Nullable(
      Enum(lineKinds, {
        description: 'good bien, service servicio; null en líneas de antes, que no lo decían',
      }),
    ),
    unit_price: Type.Number({ description: 'Precio unitario, con impuestos si prices_include_tax es true' }),
    discount_percent: Nullable(Type.Number({ description: 'Descuento en porcentaje' })),
    taxes_id: Described(Nullable(Uuid), 'Id del impuesto de la empresa que lleva'),
    tax_kind: Enum(taxKinds, { description: 'Clase de impuesto: vat es IVA' }),
    tax_name: Nullable(Type.String({ description: 'Nombre de ese impuesto' })),
    tax_rate: Nullable(
      Type.Number({ description: 'Tipo del impuesto en porcentaje; null si está exenta o no sujeta' }),
    ),
    retention_rate: Nullable(Type.Number({ description: 'Retención en porcentaje' })),
    surcharge_rate: Nullable(Type.Number({ description: 'Recargo de equivalencia en porcentaje' })),
    qualification: Nullable(
      Enum(qualifications, { description: 'Calificación fiscal; null si está exenta' }),
    ),
    exemption_reason: Nullable(
      Enum(exemptionCodes, { description: 'Causa de exención; null si no está exenta' }),
    ),
    exemption_reason_text: Nullable(Type.String({ description: 'Explicación de la exención' })),
    regime_key: Nullable(Type.String({ description: 'Clave de régimen de la Agencia Tributaria' })),
    ...shownDetails,
    subtotal: Described(Money, 'Base de la línea: sin impuestos y con su descuento'),
    taxes: Described(Money, 'Cuota del impuesto, sin el recargo'),
    total: Described(Money, 'Base, impuesto y recargo; sin restar la retención'),
    ...own,
  });

const breakdownRow = {
  tax_kind: Enum(taxKinds, { description: 'Clase de impuesto: vat es IVA' }),
  regime_key: Nullable(Type.String({ description: 'Clave de régimen de la Agencia Tributaria' })),
  qualification: Nullable(Enum(qualifications, { description: 'Calificación fiscal; null si está exenta' })),
  exemption_reason: Nullable(
    Enum(exemptionCodes, { description: 'Causa de exención; null si no está exenta' }),
  ),
  tax_rate: Nullable(Type.Number({ description: 'Tipo en porcentaje; null si está exento o no sujeto' })),
  surcharge_rate: Nullable(Type.Number({ description: 'Recargo de equivalencia en porcentaje' })),
  base: Described(Money, 'Base imponible a este tipo'),
  tax: Described(Money, 'Cuota del impuesto'),
  surcharge: Described(Money, 'Cuota del recargo'),
};

const Client = Type.Object({
  id: Described(Uuid, 'Id del cliente'),
  name: Type.String({ description: 'Nombre o razón social' }),
  tax_id: Nullable(Type.String({ description: 'Identificación fiscal' })),
  address: Described(Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })), 'Dirección postal'),
});

export const sumsOutput = (the: string) => ({
  subtotal: Described(Money, 'Base imponible total, con los descuentos restados'),
  discount_total: Described(Money, 'Descuentos, ya restados en subtotal'),
  taxes_total: Described(Money, 'Cuotas de impuestos, sin el recargo'),
  surcharge_total: Described(Money, 'Cuotas de recargo de equivalencia'),
  retention_total: Described(Money, 'Retenciones, que no se restan en total'),
  total: Described(Money, `subtotal, taxes_total y surcharge_total: el total ${ofThe(the)}`),
  amount_due: Described(Money, 'total menos retention_total: lo que hay que pagar'),
});

export const presentSums = (row: AmountColumns) => ({
  subtotal: Number(row.subtotal),
  discount_total: Number(row.discount_total),
  taxes_total: Number(row.taxes_total),
  surcharge_total: Number(row.surcharge_total),
  retention_total: Number(row.retention_total),
  total: Number(row.total),
  amount_due: Number(row.amount_due),
});

const shared = (family: Pick<Family, 'fields' | 'states' | keyof DocumentNames>) => ({
  id: Described(Uuid, `Id ${ofThe(family.the)}`),
  object: Type.Literal(family.object),
  number: Nullable(Type.String({ description: 'Número completo, con su serie; null en un borrador' })),
  series: Described(Nullable(Type.Object({ id: Uuid, code: Type.String() })), 'Serie que da el número'),
  status: Enum(family.states.statuses, { description: 'Estado' }),
  client: Described(Nullable(Client), 'El cliente; con número, como era al tomarlo'),
  description: Nullable(Type.String({ description: 'Asunto o descripción general' })),
  issued_on: Described(Nullable(DayText), 'Fecha de expedición, YYYY-MM-DD'),
  currency: Type.String({ description: 'Moneda ISO 4217, en la que están los importes' }),
  prices_include_tax: Type.Boolean({ description: 'Los precios de las líneas llevan los impuestos' }),
  lines: Type.Array(lineOf(`${family.object}_line`, family.fields.lines?.shown), {
    description: 'Líneas, en su orden',
  }),
  ...sumsOutput(family.the),
  tax_breakdown: Type.Array(Type.Object({ ...breakdownRow, ...family.fields.lines?.tax_shown }), {
    description: 'Desglose por impuesto y tipo',
  }),
  notes: Nullable(Type.String({ description: 'Notas que se imprimen' })),
  external_id: Nullable(Type.String({ description: `Clave ${ofThe(family.the)} en su programa` })),
  metadata: Described(Metadata, 'Datos de su programa, en pares de clave y texto'),
  tags: Type.Array(Type.String(), { description: 'Etiquetas' }),
  custom_fields: CustomFields,
  pdf: Type.Optional(Described(PdfBlock, 'Su PDF, en las llamadas que crean el documento y lo emiten')),
  email: Type.Optional(Described(EmailBlock, 'El correo que la llamada ha preparado')),
  public_url: NeedsScope(
    paperScope,
    Nullable(
      Type.String({
        description: `Página en la que quien tenga la dirección ve y descarga ${family.the}, sin clave; nula mientras es un borrador, y si la clave no tiene pdfs:read`,
      }),
    ),
  ),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
});

const outputs = new WeakMap<object, TObject>();

/** A document as every operation answers it. */
export function documentOutput(
  family: Pick<Family, 'fields' | 'states' | 'without' | keyof DocumentNames>,
): TObject {
  const known = outputs.get(family.fields);
  if (known) return known;
  const { shown } = family.fields;
  const members: TProperties = {};
  for (const [name, schema] of Object.entries(ownedBy(family, shared(family)))) {
    if (!(name in members)) members[name] = schema as TSchema;
    Object.assign(members, shown[name]);
  }
  const made = Type.Object(members);
  outputs.set(family.fields, made);
  return made;
}

function presentLine(row: LineRow, object: string, { lines: own }: Pick<Family['fields'], 'lines'>) {
  return {
    object,
    id: row.id,
    description: row.description,
    product: row.product_id === null ? null : { id: row.product_id, name: row.product_name ?? '' },
    quantity: printedToJson(row.quantity),
    unit: row.unit,
    kind: row.kind,
    unit_price: printedToJson(row.unit_price),
    discount_percent: nullableToJson(row.discount_percent),
    taxes_id: row.taxes_id,
    tax_kind: row.tax_kind,
    tax_name: row.tax_name,
    tax_rate: nullableToJson(row.tax_rate),
    retention_rate: nullableToJson(row.retention_rate),
    surcharge_rate: nullableToJson(row.surcharge_rate),
    qualification: row.qualification,
    exemption_reason: row.exemption_reason,
    exemption_reason_text: row.exemption_reason_text,
    regime_key: row.regime_key,
    ...presentDetails(row.details),
    subtotal: Number(row.subtotal),
    taxes: Number(row.taxes),
    total: Number(row.total),
    ...own?.present(row),
  };
}

function presentTaxRow(row: TaxRow, { lines: own }: Pick<Family['fields'], 'lines'>) {
  return {
    tax_kind: row.tax_kind,
    regime_key: row.regime_key,
    qualification: row.qualification,
    exemption_reason: row.exemption_reason,
    tax_rate: nullableToJson(row.tax_rate),
    surcharge_rate: nullableToJson(row.surcharge_rate),
    base: Number(row.base),
    tax: Number(row.tax),
    surcharge: Number(row.surcharge),
    ...own?.presentTax(row),
  };
}

/** What public addresses need, and who asks for them. A `Ctx` is one. */
export type Showing = {
  company: { company_id: string };
  ports: Pick<Ports, 'links'>;
  caller: Reader;
  /** The company's day, where something shown depends on it. */
  today?: string;
};

function presentClient(row: DocumentRow) {
  if (row.client_snapshot === null) return null;
  const { address = null } = row.client_snapshot as { address?: unknown };
  return { id: row.client_id, name: row.client_name, tax_id: row.client_tax_id, address };
}

/** Member names in the order of the answer. */
const orders = new WeakMap<object, readonly string[]>();

function orderOf(family: Family): readonly string[] {
  const known = orders.get(family.fields);
  if (known) return known;
  const order = Object.keys(documentOutput(family).properties);
  orders.set(family.fields, order);
  return order;
}

/** The answer, with its members in the order of the schema. */
export function presentDocument<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  bundle: BundleOf<R, E>,
  showing: Showing,
): Record<string, unknown> {
  const {
    company: { company_id },
    ports,
    caller,
  } = showing;
  const { document: row, lines, tax_rows } = bundle;
  const { object } = family;
  const all: Record<string, unknown> = {
    id: row.id,
    object,
    number: row.number,
    series: row.series_id === null ? null : { id: row.series_id, code: row.series_code },
    status: row.status,
    client: presentClient(row),
    description: row.description,
    issued_on: row.issued_on,
    currency: row.currency,
    prices_include_tax: row.prices_include_tax,
    lines: lines.map((line) =>
      presentLine(line, `${object}_line`, family.fields as Pick<Family['fields'], 'lines'>),
    ),
    ...presentSums(row),
    tax_breakdown: tax_rows.map((one) =>
      presentTaxRow(one, family.fields as Pick<Family['fields'], 'lines'>),
    ),
    notes: row.notes,
    external_id: row.external_id,
    metadata: row.metadata,
    tags: row.tags,
    custom_fields: row.custom_fields,
    public_url:
      row.status === 'draft' || family.paper === null || !opensPaper(caller)
        ? null
        : ports.links.publicUrl({
            company_id,
            kind: paperKindOf(family),
            id: row.id,
            renewed_at: row.link_renewed_at,
          }),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    ...family.fields.present(bundle, showing),
  };
  const shown: Record<string, unknown> = {};
  for (const name of orderOf(family)) if (name in all) shown[name] = all[name];
  return shown;
}

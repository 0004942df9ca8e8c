/** What a product is sold as, on the wire and as it is kept. Parts have ids, like lines: a known one keeps what is not sent. */
import {
  Decimal,
  Described,
  Enum,
  Name,
  Nullable,
  PercentInput,
  Shape,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { amountLimits } from '../../domain/money/amount.ts';

export const partLimits = {
  attributes: 5,
  attribute_values: 50,
  variants: 500,
  presentations: 20,
  option_groups: 20,
  option_values: 50,
  components: 50,
  /** Named by all presentations and groups together: an answer can be sent back whole. */
  variant_ids: 5000,
} as const;

/** An option of a product, as whoever sells it names it. */
export const chosenOptionIds = {
  group_id: Type.Optional(Described(Uuid, 'Id del grupo de opciones; si se omite, el de value_id')),
  value_id: Type.Optional(Described(Uuid, 'Id de la opción elegida')),
};

export const ChosenOptions = Type.Array(Shape(chosenOptionIds), {
  maxItems: partLimits.option_groups,
  description: 'Opciones elegidas, una de cada grupo como máximo',
});

const factorLimits = { decimals: 6, significant_digits: 15, exclusive_minimum: '0' } as const;
export const packPricings = ['sum', 'fixed'] as const;
export const packExpansions = ['components', 'single'] as const;

const name = (description: string) => Type.Optional(Name(120, { minLength: 1, pattern: '\\S', description }));
const partId = Type.Optional(
  Described(
    Uuid,
    'Id de una parte que el producto ya tiene: conserva lo que no se envíe. Una nueva no lo lleva',
  ),
);
const code = Type.Optional(
  Nullable(Name(60, { minLength: 1, description: 'Referencia propia, única en el producto' })),
);
const barcode = Type.Optional(Nullable(Name(60, { minLength: 1, description: 'Código de barras' })));
const isActive = Type.Optional(
  Type.Boolean({ description: 'true si se omite; false la archiva: no se vende en líneas nuevas' }),
);
const ownPrice = (description: string) =>
  Type.Optional(Nullable(Decimal(amountLimits.unit_price, description)));
const variantIds = Type.Optional(
  Nullable(
    Type.Array(Text(60, { minLength: 1, description: 'Id de una variante, o su código' }), {
      maxItems: partLimits.variants,
      description: 'Variantes con las que va, por id o por código; null, o si se omite, todas',
    }),
  ),
);

const attributes = Type.Array(
  Shape({
    id: partId,
    name: name('Nombre del atributo, único en el producto; por ejemplo Color'),
    values: Type.Optional(
      Type.Array(
        Shape({ id: partId, name: name('Nombre del valor, único en el atributo; por ejemplo Rojo') }),
        {
          minItems: 1,
          maxItems: partLimits.attribute_values,
          description: 'Sus valores, de 1 a 50. La lista entera que queda; uno nuevo lleva name',
        },
      ),
    ),
  }),
  {
    maxItems: partLimits.attributes,
    description:
      'Atributos que distinguen las variantes, 5 como máximo. La lista entera que queda; uno nuevo lleva name y values',
  },
);

const variants = Type.Array(
  Shape({
    id: partId,
    name: name('Nombre de la variante; si se omite, los de sus valores'),
    code,
    barcode,
    values: Type.Optional(
      Type.Array(
        Shape({
          attribute_id: Type.Optional(Described(Uuid, 'Id del atributo')),
          value_id: Type.Optional(Described(Uuid, 'Id de su valor')),
          attribute: Type.Optional(Text(120, { description: 'Nombre del atributo, mientras no tiene id' })),
          value: Type.Optional(Text(120, { description: 'Nombre del valor, mientras no tiene id' })),
        }),
        {
          maxItems: partLimits.attributes,
          description: 'Un valor de cada atributo. No hay dos variantes activas con los mismos',
        },
      ),
    ),
    unit_price: ownPrice('Precio propio sin impuestos; null, o si se omite, el del producto'),
    taxes_id: Type.Optional(
      Described(Nullable(Uuid), 'Id de su impuesto; null, o si se omite, el del producto'),
    ),
    is_active: isActive,
  }),
  { maxItems: partLimits.variants, description: 'Variantes, 500 como máximo. La lista entera que queda' },
);

const presentations = Type.Array(
  Shape({
    id: partId,
    name: name('Nombre de la presentación; por ejemplo Caja'),
    unit: Type.Optional(Nullable(Name(40, { description: 'Unidad que toman las líneas' }))),
    factor: Type.Optional(
      Decimal(factorLimits, 'Unidades que hay en cada una: mayor que 0, con seis decimales como máximo'),
    ),
    unit_price: ownPrice('Precio propio sin impuestos; null, o si se omite, factor por el de la unidad'),
    code,
    barcode,
    variant_ids: variantIds,
    is_default: Type.Optional(
      Type.Boolean({
        description: 'La que se vende si no se elige otra; una como máximo. false si se omite',
      }),
    ),
    is_active: isActive,
  }),
  {
    maxItems: partLimits.presentations,
    description:
      'Presentaciones en las que se vende, 20 como máximo. La lista entera que queda; una nueva lleva name y factor',
  },
);

const optionGroups = Type.Array(
  Shape({
    id: partId,
    name: name('Nombre del grupo; por ejemplo Grabado'),
    is_required: Type.Optional(
      Type.Boolean({ description: 'true: hay que elegir un valor; false si se omite' }),
    ),
    variant_ids: variantIds,
    values: Type.Optional(
      Type.Array(
        Shape({
          id: partId,
          name: name('Nombre de la opción'),
          price_delta: Type.Optional(
            Decimal(amountLimits.unit_price, 'Lo que suma al precio de cada unidad vendida; 0 si se omite'),
          ),
          is_active: isActive,
        }),
        {
          minItems: 1,
          maxItems: partLimits.option_values,
          description:
            'Opciones, de 1 a 50, de las que se elige una. La lista entera que queda; una nueva lleva name',
        },
      ),
    ),
  }),
  {
    maxItems: partLimits.option_groups,
    description:
      'Grupos de opciones, 20 como máximo. La lista entera que queda; uno nuevo lleva name y values',
  },
);

const pack = Shape(
  {
    pricing: Type.Optional(
      Enum(packPricings, {
        description: 'sum: la suma de los componentes (si se omite); fixed: el precio del producto',
      }),
    ),
    discount_percent: Type.Optional(
      Described(Nullable(PercentInput), 'Descuento en porcentaje sobre la suma; no va con fixed'),
    ),
    expand: Type.Optional(
      Enum(packExpansions, {
        description:
          'components: una línea de cada componente (si se omite); single: una sola línea, si todos tienen el mismo impuesto',
      }),
    ),
    components: Type.Array(
      Shape({
        product_id: Described(Uuid, 'Id de un producto activo que no es un pack'),
        variant_id: Type.Optional(Described(Nullable(Uuid), 'Id de su variante')),
        presentation_id: Type.Optional(Described(Nullable(Uuid), 'Id de su presentación')),
        quantity: Type.Optional(
          Decimal(
            { decimals: 6, significant_digits: 15, exclusive_minimum: '0' },
            'Cuántos lleva cada pack; 1 si se omite',
          ),
        ),
      }),
      {
        minItems: 1,
        maxItems: partLimits.components,
        description: 'Lo que lleva, de 1 a 50. La lista entera',
      },
    ),
  },
  { description: 'Lo convierte en un pack de otros productos; null, no lo es' },
);

/** Members of a product. */
export const configurationInput = {
  attributes: Nullable(attributes),
  variants: Nullable(variants),
  presentations: Nullable(presentations),
  option_groups: Nullable(optionGroups),
  pack: Nullable(pack),
};
export const configurationKeys = [
  'attributes',
  'variants',
  'presentations',
  'option_groups',
  'pack',
] as const;

export type ConfigurationInput = {
  -readonly [K in keyof typeof configurationInput]?: Static<(typeof configurationInput)[K]>;
};

const id = Described(Uuid, 'Id de la parte');
const price = (description: string) => Nullable(Type.Number({ description }));
const shownName = Type.String({ description: 'Nombre' });
const shownCode = Nullable(Type.String({ description: 'Referencia propia' }));
const shownBarcode = Nullable(Type.String({ description: 'Código de barras' }));
const shownActive = Type.Boolean({ description: 'false: archivada' });
const shownVariantIds = Described(Nullable(Type.Array(Uuid)), 'Variantes con las que va; null, todas');

export const ShownVariant = Type.Object({
  id,
  name: shownName,
  code: shownCode,
  barcode: shownBarcode,
  values: Type.Array(
    Type.Object({
      attribute_id: Described(Uuid, 'Id del atributo'),
      value_id: Described(Uuid, 'Id de su valor'),
    }),
    { description: 'Un valor de cada atributo' },
  ),
  unit_price: price('Precio propio; null, el del producto'),
  taxes_id: Described(Nullable(Uuid), 'Id de su impuesto; null, el del producto'),
  is_active: shownActive,
});

export const ShownPresentation = Type.Object({
  id,
  name: shownName,
  unit: Nullable(Type.String({ description: 'Unidad que toman las líneas' })),
  factor: Type.Number({ description: 'Unidades que hay en cada una' }),
  unit_price: price('Precio propio; null, factor por el de la unidad'),
  code: shownCode,
  barcode: shownBarcode,
  variant_ids: shownVariantIds,
  is_default: Type.Boolean({ description: 'La que se vende si no se elige otra' }),
  is_active: shownActive,
});

export const ShownOptionValue = Type.Object({
  id,
  name: shownName,
  price_delta: Type.Number({ description: 'Lo que suma al precio' }),
  is_active: shownActive,
});

const ShownOptionGroup = Type.Object({
  id,
  name: shownName,
  is_required: Type.Boolean({ description: 'Hay que elegir un valor' }),
  variant_ids: shownVariantIds,
  values: Type.Array(ShownOptionValue, { description: 'Opciones, de las que se elige una' }),
});

/** Members of the answer. */
export const shownConfiguration = {
  attributes: Type.Array(
    Type.Object({ id, name: shownName, values: Type.Array(Type.Object({ id, name: shownName })) }),
    { description: 'Atributos que distinguen las variantes' },
  ),
  variants: Type.Array(ShownVariant, { description: 'Variantes, también las archivadas' }),
  presentations: Type.Array(ShownPresentation, { description: 'Presentaciones, también las archivadas' }),
  option_groups: Type.Array(ShownOptionGroup, { description: 'Grupos de opciones' }),
  pack: Nullable(
    Type.Object(
      {
        pricing: Enum(packPricings, {
          description: 'sum: la suma de los componentes; fixed: el del producto',
        }),
        discount_percent: Nullable(Type.Number({ description: 'Descuento sobre la suma' })),
        expand: Enum(packExpansions, { description: 'components: una línea de cada uno; single: una sola' }),
        components: Type.Array(
          Type.Object({
            product_id: Described(Uuid, 'Id del componente'),
            variant_id: Described(Nullable(Uuid), 'Id de su variante'),
            presentation_id: Described(Nullable(Uuid), 'Id de su presentación'),
            quantity: Type.Number({ description: 'Cuántos lleva cada pack' }),
          }),
          { description: 'Lo que lleva' },
        ),
      },
      { description: 'null: no es un pack' },
    ),
  ),
};

export const shownFlags = {
  has_variants: Type.Boolean({ description: 'Tiene variantes' }),
  has_presentations: Type.Boolean({ description: 'Tiene presentaciones' }),
  has_options: Type.Boolean({ description: 'Tiene grupos de opciones' }),
  is_pack: Type.Boolean({ description: 'Es un pack de otros productos' }),
};

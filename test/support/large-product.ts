/** A product at its limits: 500 variants of five attributes, 20 presentations, 20 groups of 50 options. */

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const attributes = ['Color', 'Talla', 'Tejido', 'Corte', 'Año'];

/** @param options of each group */
export function largeProduct(options = 50) {
  return {
    name: 'Uniforme',
    unit_price: 24.9,
    attributes: attributes.map((name) => ({
      name,
      values: times(name === 'Año' ? 50 : 10, (at) => ({ name: `${at}` })),
    })),
    variants: times(500, (at) => ({
      name: `Variante ${at}`,
      code: `V${at}`,
      values: attributes.map((attribute) => ({
        attribute,
        value:
          attribute === 'Año'
            ? `${at % 50}`
            : attribute === 'Color'
              ? `${Math.floor(at / 50)}`
              : `${at % 10}`,
      })),
      unit_price: (2000 + at) / 100,
    })),
    presentations: times(20, (at) => ({
      name: `Caja de ${at + 1}`,
      unit: 'caja',
      factor: at + 1,
      is_default: at === 0,
      // Some go with a part of the variants.
      ...(at % 4 === 3 ? { variant_ids: times(250, (i) => `V${i}`) } : {}),
    })),
    option_groups: times(20, (at) => ({
      name: `Grupo ${at}`,
      is_required: at % 2 === 0,
      values: times(options, (i) => ({ name: `Opción ${i}`, price_delta: i / 100 })),
    })),
  };
}

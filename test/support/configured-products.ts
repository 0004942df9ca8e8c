/** Products with parts, as requests. */

export const shirt = {
  name: 'Camiseta',
  unit_price: 10,
  attributes: [
    { name: 'Color', values: [{ name: 'Rojo' }, { name: 'Azul' }] },
    { name: 'Talla', values: [{ name: 'S' }, { name: 'M' }] },
  ],
  variants: [
    {
      code: 'RS',
      values: [
        { attribute: 'Color', value: 'Rojo' },
        { attribute: 'Talla', value: 'S' },
      ],
    },
    {
      name: 'Azul mediana',
      code: 'AM',
      barcode: '8412345678905',
      values: [
        { attribute: 'Talla', value: 'M' },
        { attribute: 'Color', value: 'Azul' },
      ],
      unit_price: 12.12345678,
    },
  ],
  presentations: [
    { name: 'Unidad', factor: 1, is_default: true },
    { name: 'Caja', unit: 'caja', factor: 12.5, code: 'C12', variant_ids: ['AM'] },
  ],
  option_groups: [
    { name: 'Grabado', is_required: true, values: [{ name: 'Láser', price_delta: 2.5 }, { name: 'Tinta' }] },
    { name: 'Bolsa', variant_ids: ['RS'], values: [{ name: 'Papel', price_delta: 0.1 }] },
  ],
};

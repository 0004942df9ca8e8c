import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Moment, Text, Type } from '../../../kernel/schema.ts';
import { textParameter } from '../../../platform/page-rows.ts';
import { PriceListShown, present } from '../price-lists.schema.ts';
import { listPriceLists as listRows } from '../price-lists.store.ts';

const sorts = ['created', 'name'] as const;

export const listPriceLists = defineList({
  name: 'list_price_lists',
  path: '/v1/price-lists',
  scope: 'price_lists:read',
  tag: 'price_lists',
  summary: 'Lista las tarifas de precios.',
  description:
    'Responde una página de tarifas, también las archivadas; las más recientes primero, si sort no dice otra cosa. Los filtros se suman: solo salen las que los cumplen todos. q busca en el nombre y en el código. Los precios de cada una los da list_price_list_items.',
  mcp: true,
  sorts,
  filters: {
    ...textParameter,
    code: Type.Optional(Text(60, { description: 'Código exacto' })),
    external_id: Type.Optional(Text(255, { description: 'Su clave en otro programa, exacta' })),
    is_active: Type.Optional(
      Type.Boolean({ description: 'true: solo las activas; false: solo las archivadas' }),
    ),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: PriceListShown,
  examples: [{ title: 'Las activas, por nombre', query: { is_active: 'true', sort: 'name' } }],

  async list({ tx, company }, { query, page }) {
    const rows = await listRows(tx, company.company_id, query, page);
    return pageAnswer(rows, page, (row) =>
      present({ ...row, is_default: row.id === company.default_price_list_id }),
    );
  },
});

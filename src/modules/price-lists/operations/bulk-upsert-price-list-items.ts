/** Each item stands or falls alone. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { elementIssues } from '../../../kernel/elements.ts';
import { defineOperation, largestBody } from '../../../kernel/operation.ts';
import { fail, Problem, reasonText } from '../../../kernel/problem.ts';
import { Described, Nullable, OneWarned, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { itemWarnings, warningsOf } from '../price-list-items.answers.ts';
import {
  CreateItemInput,
  type NewItemInput,
  PriceListItem,
  presentItem,
} from '../price-list-items.schema.ts';
import { lockedList } from '../price-lists.checks.ts';
import { applyItemInput, blankItem } from '../rules/item-fields.ts';
import { type Saved, saveItems } from '../save-items.ts';

const Failure = Type.Object({
  index: Type.Integer({ description: 'Lugar en la lista enviada, desde 0' }),
  error_code: Type.String({ description: 'Código del error' }),
  error_message: Type.String({ description: 'Por qué se ha rechazado' }),
  param: Nullable(Type.String({ description: 'Campo que hay que corregir' })),
  errors: Type.Array(Type.Object({ param: Type.String(), code: Type.String(), message: Type.String() }), {
    description: 'Todos los campos que hay que corregir, como en create_price_list_item',
  }),
});

const BulkResult = Type.Object({
  object: Type.Literal('bulk_result'),
  id: Described(Uuid, 'Id de la tarifa'),
  total: Type.Integer({ description: 'Precios enviados' }),
  successful: Type.Integer({ description: 'Creados o cambiados' }),
  failed: Type.Integer({ description: 'Rechazados' }),
  items: Type.Array(PriceListItem, { description: 'Los creados o cambiados, en su orden' }),
  failures: Type.Array(Failure, { description: 'Los rechazados, y por qué' }),
});

export const bulkUpsertPriceListItems = defineOperation({
  name: 'bulk_upsert_price_list_items',
  method: 'POST',
  path: '/v1/price-lists/:price_list/items/bulk-upsert',
  scope: 'price_lists:write',
  tag: 'price_lists',
  summary: 'Crea o cambia hasta 500 precios de una tarifa.',
  description:
    'Guarda de 1 a 500 precios, cada uno con los datos que admite create_price_list_item. El que tiene el producto, la variante, la presentación, la cantidad y el primer día de uno que ya está lo sustituye; los demás se crean. Uno que se rechaza no detiene a los demás: la respuesta es 200, y los rechazados están en failures, cada uno con su lugar en la lista y su motivo.',
  transaction: 'own',
  mcp: true,
  status: 200,
  body_limit: largestBody,
  params: Shape({ price_list: Described(Uuid, 'Id de la tarifa') }),
  body: Shape({
    items: Type.Array(CreateItemInput, {
      minItems: 1,
      maxItems: 500,
      description: 'Precios, de 1 a 500, como en create_price_list_item',
    }),
  }),
  elements: { list: 'items' },
  output: OneWarned(BulkResult, itemWarnings),
  errors: [c.resource_not_found],
  examples: [
    {
      title: 'Dos escalones',
      body: {
        items: [
          { product_id: '{product}', unit_price: 21.5 },
          { product_id: '{product}', min_quantity: 50, unit_price: 19.9 },
        ],
      },
    },
  ],

  async handle({ tx, caller: { company_id }, now, audit }, { params, body: { items } }) {
    const { id: price_list_id } = await lockedList(tx, company_id, params.price_list);
    const sound = items.filter((item) => elementIssues(CreateItemInput, item).length === 0);
    const wanted = sound.map((item) => ({ fields: fieldsOf(item), replaces: true }));
    const saved = await saveItems(tx, company_id, wanted, { now, price_list_id, newId });
    const outcome = new Map(sound.map((item, at) => [item, saved[at]!]));
    const rows = saved.flatMap((one) => (one instanceof Problem ? [] : [one.row]));
    // One entry, however many prices: the list has them.
    if (rows.length > 0) {
      const created = rows.filter(({ created_at }) => created_at === now).length;
      const details = { created, replaced: rows.length - created };
      audit({ action: 'price_list.items_saved', object: 'price_list', object_id: price_list_id, details });
    }
    return answer(
      price_list_id,
      items.map((item) => outcome.get(item) ?? malformed(item)),
    );
  },
});

function fieldsOf(item: NewItemInput) {
  return applyItemInput({ ...blankItem, product_id: item.product_id }, item);
}

function malformed(item: unknown): Problem {
  const errors = [...elementIssues(CreateItemInput, item)];
  return fail(c.parameter_invalid, { param: errors[0]?.param ?? null, errors });
}

function answer(id: string, outcomes: readonly (Saved | Problem)[]) {
  const failures = outcomes.flatMap((one, index) => (one instanceof Problem ? [failureOf(one, index)] : []));
  const saved = outcomes.flatMap((one) => (one instanceof Problem ? [] : [one.row]));
  const dearer = outcomes.flatMap((one, index) =>
    one instanceof Problem || !one.raises ? [] : [`items.${index}: `],
  );
  return {
    data: {
      object: 'bulk_result' as const,
      id,
      total: outcomes.length,
      successful: saved.length,
      failed: failures.length,
      items: saved.map(presentItem),
      failures,
    },
    ...warningsOf(dearer),
  };
}

function failureOf(problem: Problem, index: number) {
  return {
    index,
    error_code: problem.def.code,
    error_message: reasonText(problem),
    param: problem.details.param ?? null,
    errors: problem.details.errors ?? [],
  };
}

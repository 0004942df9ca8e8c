/** Lists a family's documents, newest first by default. */
import type { DocumentRow } from '../../../domain/sales/rows.ts';
import { eachOf } from '../../../kernel/list-filters.ts';
import { defineList } from '../../../kernel/list-operation.ts';
import type { Operation } from '../../../kernel/operation.ts';
import { pageAnswer, pageInSteps, rangeParameters } from '../../../kernel/page.ts';
import { DayText, Described, Enum, Moment, Text, Type, Uuid } from '../../../kernel/schema.ts';
import { inTurns } from '../../../platform/give-way.ts';
import { type DocumentFilter, listDocumentRows, sortFields } from '../documents.list.ts';
import { documentOutput, presentDocument } from '../documents.schema.ts';
import { listPageLines, readPageParts, withParts } from '../documents.store.ts';
import type { Family } from '../family.ts';
import { type VerbTexts, verbTextsOf } from './verb-texts.ts';

function sharedQuery({ states, without = [] }: Family) {
  const statuses = states.statuses.join('|');
  const lacking: readonly string[] = without;
  const query = {
    q: Type.Optional(
      Text(100, {
        minLength: 3,
        description:
          'Texto libre en el número, el nombre y el NIF del cliente; 3 caracteres o más, sin distinguir mayúsculas ni acentos',
      }),
    ),
    status: Type.Optional(Enum(states.statuses, { description: 'Estado' })),
    'status[in]': Type.Optional(
      Text(200, {
        pattern: `^(${statuses})(,(${statuses}))*$`,
        pattern_message: eachOf(states.statuses),
        description: 'Varios estados, separados por comas',
      }),
    ),
    client_id: Type.Optional(Described(Uuid, 'Id del cliente')),
    series_id: Type.Optional(Described(Uuid, 'Id de la serie')),
    number: Type.Optional(Text(60, { description: 'Número completo, con su serie' })),
    external_id: Type.Optional(Text(255, { description: 'Clave en su programa' })),
    currency: Type.Optional(Text(3, { pattern: '^[A-Z]{3}$', description: 'Moneda ISO 4217' })),
    product_id: Type.Optional(Described(Uuid, 'Id de un producto que lleva alguna de sus líneas')),
    tag: Type.Optional(Text(40, { description: 'Una de sus etiquetas' })),
    ...rangeParameters('issued_on', DayText, 'Fecha de expedición'),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
    ...rangeParameters('total', AmountText, 'Total'),
  };
  return Object.fromEntries(
    Object.entries(query).filter(([name]) => !lacking.includes(name.replace(/\[.*/, ''))),
  ) as typeof query;
}

/** A bound of an amount. */
export const AmountText = Text(20, {
  pattern: '^-?[0-9]{1,12}([.][0-9]{1,2})?$',
  pattern_message: 'Debe ser un importe con punto y dos decimales como máximo, por ejemplo 1250.50.',
});

export function listDocuments<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: VerbTexts,
): Operation {
  const sorts = sortFields(family);
  return defineList({
    ...verbTextsOf(family, said),
    path: `/v1/${family.collection}`,
    mcp: true,
    sorts,
    filters: { ...sharedQuery(family), ...family.list.query },
    keyed_filters: {
      metadata: {
        key_max: 40,
        value_max: 500,
        description:
          'Valor exacto de una clave de metadata: metadata[pedido]=7. Con varias claves, 5 como máximo, las que las tienen todas',
      },
    },
    item: documentOutput(family),
    errors: said.errors ?? [],

    prefetch: async (tx, company_id, first) => first && listDocumentRows(tx, family, company_id, first, {}),

    async list(ctx, { query, page }, first) {
      const { tx, company } = ctx;
      const asked_for = family.list.asked?.(query, ctx.today) ?? query;
      const rows =
        first ?? (await listDocumentRows(tx, family, company.company_id, page, asked_for as DocumentFilter));
      // What is read of no document is awaited by nobody: where it fails, the process would end.
      if (rows.length === 0) return pageAnswer([], page, (row) => row);
      const { company_id } = company;
      const asked = rows.slice(0, page.limit);
      const ids = asked.map((row) => row.id);
      const found = listPageLines(tx, family, company_id, ids);
      const lines = found.then((page_lines) => page_lines.lines);
      const parts = readPageParts(tx, family, company_id, ids);
      const partsOf = parts.then(({ of }) => of);
      const [{ whole }, { whole: with_parts }, bundles] = await Promise.all([
        found,
        parts,
        withParts(tx, family, company_id, asked, lines, partsOf),
      ]);
      const byId = new Map(bundles.map((bundle) => [bundle.document.id, bundle]));
      const show = (row: R) => presentDocument(family, byId.get(row.id)!, ctx);
      return inTurns(pageInSteps(rows, page, show, Math.min(whole, with_parts)));
    },
  });
}

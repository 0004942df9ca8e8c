/** What a line sells of its product: a variant, a presentation, options. It is asked for when new or changed, never again. */
import { fieldOf, reasonTexts } from '../pricing/choice.ts';
import { isFault, readChoice } from '../pricing/read-choice.ts';
import {
  type Choices,
  type Chosen,
  type ChoicePresentation,
  type ChoiceVariant,
  free,
  resolveSelection,
} from '../pricing/selection.ts';
import { invalidInLine, refusedInLine } from './lines.errors.ts';
import type { LineFacts, LineProduct } from './line-facts.ts';
import type { LineInput } from './line-input.ts';
import type { LineDetails } from './rows.ts';

export type AskedChoice = {
  product_id: string;
  variant_id: string | null;
  presentation_id: string | null;
  value_ids: readonly string[];
};

export type LineSale = {
  variant: ChoiceVariant | null;
  presentation: ChoicePresentation | null;
  options: readonly Chosen[];
};

export function choiceKey({ product_id, variant_id, presentation_id, value_ids }: AskedChoice): string {
  return [product_id, variant_id, presentation_id, ...[...value_ids].sort()].join(' ');
}

const isNew = ({ product_id, stored_product_id }: LineInput) => product_id !== stored_product_id;

/** @returns null for a line without a product, or whose choice is the stored one */
export function askedOf(line: LineInput): AskedChoice | null {
  const { product_id } = line;
  if (!product_id) return null;
  const stored = isNew(line) ? null : (line.stored_details ?? null);
  const stored_values = (stored?.options ?? []).map(({ value }) => value.id);
  const old = { variant_id: stored?.variant?.id ?? null, presentation_id: stored?.presentation?.id ?? null };
  const asked: AskedChoice = {
    product_id,
    variant_id: line.variant_id === undefined ? old.variant_id : line.variant_id,
    presentation_id: line.presentation_id === undefined ? old.presentation_id : line.presentation_id,
    value_ids: line.options?.flatMap(({ value_id }) => value_id ?? []) ?? stored_values,
  };
  const is_same =
    !isNew(line) && choiceKey(asked) === choiceKey({ product_id, ...old, value_ids: stored_values });
  return is_same ? null : asked;
}

/** Parts that the line has and the catalogue has lost. */
function withStored(
  choices: Choices,
  { variant_id, presentation_id }: AskedChoice,
  stored: LineDetails,
): Choices {
  const { variant, presentation } = stored;
  const lacks = (list: readonly { id: string }[], id: string) => !list.some((one) => one.id === id);
  const lost = { unit_price: null, is_active: true };
  return {
    ...choices,
    ...(variant && variant.id === variant_id && lacks(choices.variants, variant.id)
      ? {
          has_variants: true,
          variants: [...choices.variants, { ...lost, ...variant, taxes_id: null, values: [] }],
        }
      : {}),
    ...(presentation && presentation.id === presentation_id && lacks(choices.presentations, presentation.id)
      ? {
          presentations: [
            ...choices.presentations,
            {
              ...lost,
              ...presentation,
              factor: String(presentation.factor),
              unit: null,
              variant_ids: null,
              is_default: false,
            },
          ],
        }
      : {}),
  };
}

function keptIds({ product_id, stored_details }: LineInput): ReadonlySet<string> {
  const { variant, presentation, options = [] } = stored_details ?? {};
  return new Set(
    [product_id, variant?.id, presentation?.id, ...options.map(({ value }) => value.id)].filter(
      (id) => id !== undefined && id !== null,
    ),
  );
}

/**
 * @returns null for a plain product and for a line that keeps its choice
 * @throws 422 parameter_invalid, business_rule_violation with `line_index`
 */
export function saleOf(
  line: LineInput,
  index: number,
  product: LineProduct | null,
  { choices: known }: LineFacts,
): LineSale | null {
  const asked = product?.is_configured ? askedOf(line) : null;
  if (asked === null) return null;
  const found = known?.get(choiceKey(asked));
  if (!found) throw invalidInLine(index, 'product_id', 'El producto no existe o está archivado.');
  const stored = isNew(line) ? null : (line.stored_details ?? null);
  const choices = stored ? withStored(found.choices, asked, stored) : found.choices;
  const options = line.options ?? asked.value_ids.map((value_id) => ({ value_id }));
  const choice = readChoice(choices, { ...asked, options });
  if (isFault(choice)) throw invalidInLine(index, choice.field, choice.message);
  const selection = resolveSelection(choices, stored ? { ...choice, kept: keptIds(line) } : choice, free);
  if (selection.status !== 'resolved') {
    const code = selection.reason_code ?? 'product_archived';
    throw refusedInLine(index, fieldOf(code), reasonTexts[code]);
  }
  return { variant: selection.variant, presentation: selection.presentation, options: selection.options };
}

/** As a line keeps them: with their names, whatever becomes of them. */
export function choiceDetails({
  variant,
  presentation,
  options,
}: LineSale): Pick<LineDetails, 'variant' | 'presentation' | 'options'> {
  const named = ({ id, name }: { id: string; name: string }) => ({ id, name });
  return {
    ...(variant ? { variant: named(variant) } : {}),
    ...(presentation
      ? { presentation: { ...named(presentation), factor: Number(presentation.factor) } }
      : {}),
    ...(options.length > 0
      ? {
          options: options.map(({ group, value }) => ({
            group: named(group),
            value: named(value),
            price_delta: Number(value.price_delta),
          })),
        }
      : {}),
  };
}

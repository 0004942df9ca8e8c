/** Turns ids into a choice, and a reason into the words and the field of a refusal. */
import type { Choice, Choices, ReasonCode } from './selection.ts';

type Ids = { variant_id: string | null; presentation_id: string | null };

/** @param ids of parts that `choices` has; others count as not chosen */
export function choiceOf(choices: Choices, { variant_id, presentation_id }: Ids): Choice {
  return {
    variant: choices.variants.find(({ id }) => id === variant_id) ?? null,
    attributes: [],
    presentation: choices.presentations.find(({ id }) => id === presentation_id) ?? null,
    options: [],
  };
}

/** Each follows a colon. */
export const reasonTexts: Readonly<Record<ReasonCode, string>> = {
  product_archived: 'el producto está archivado.',
  variant_archived: 'la variante está archivada.',
  presentation_archived: 'la presentación está archivada.',
  option_archived: 'la opción está archivada.',
  no_variant_matches: 'ninguna variante tiene estos atributos.',
  presentation_not_for_variant: 'la presentación no es de esta variante.',
  option_not_for_variant: 'la opción no es de esta variante.',
  no_price_in_currency: 'el producto no tiene precio en esta moneda.',
  taxes_not_for_pack: 'sus componentes tienen varios impuestos, y el pack va en una sola línea.',
  tax_refused: 'un documento de ese día no admite su impuesto.',
  quantity_not_for_pack: 'la cantidad de un componente no cabe en una línea.',
  several_variants_match: 'el producto tiene varias variantes: diga cuál.',
  several_presentations_match: 'el producto tiene varias presentaciones y ninguna predeterminada: diga cuál.',
  option_groups_pending: 'falta elegir una opción de un grupo obligatorio.',
};

/** The member of a line, or of a component, that the reason is about. */
export function fieldOf(
  code: ReasonCode,
): 'product_id' | 'variant_id' | 'presentation_id' | 'options' | 'unit_price' | 'quantity' {
  if (code === 'product_archived' || code === 'taxes_not_for_pack' || code === 'tax_refused')
    return 'product_id';
  if (code === 'quantity_not_for_pack') return 'quantity';
  if (code === 'no_price_in_currency') return 'unit_price';
  if (code.includes('option')) return 'options';
  if (code.includes('presentation')) return 'presentation_id';
  return 'variant_id';
}

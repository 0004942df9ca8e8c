/**
 * Tax numbers as the authority judges them. It checks a person's letter, not an entity's control character.
 * Of an EU VAT number it checks only the shape.
 */
const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

const letterOf = (digits: string) => LETTERS.charAt(Number(digits) % 23);

/** DNI, NIE, K, L or M, with the right letter. */
export function isPersonNif(nif: string): boolean {
  if (/^\d{8}[A-Z]$/.test(nif)) return letterOf(nif.slice(0, 8)) === nif[8];
  if (/^[XYZ]\d{7}[A-Z]$/.test(nif))
    return letterOf('XYZ'.indexOf(nif.charAt(0)) + nif.slice(1, 8)) === nif[8];
  return /^[KLM]\d{7}[A-Z]$/.test(nif) && letterOf(nif.slice(1, 8)) === nif[8];
}

/** A Spanish number with any check character. */
export function hasNifForm(nif: string): boolean {
  return /^(\d{8}[A-Z]|[XYZKLM]\d{7}[A-Z]|[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J])$/.test(nif);
}

export function isNif(nif: string): boolean {
  return hasNifForm(nif) && (/^[ABCDEFGHJNPQRSUVW]/.test(nif) || isPersonNif(nif));
}

/** The authority's table. Spain is not in it: the number is a NIF. */
const vat_prefixes =
  'AT BE BG CY CZ DE DK EE EL FI FR GB HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' ');

/** Undefined for another shape. */
export function vatPrefix(id: string): string | undefined {
  const prefix = id.slice(0, 2);
  return vat_prefixes.includes(prefix) && /^[A-Z0-9+*]{2,12}$/.test(id.slice(2)) ? prefix : undefined;
}

export function vatCountry(prefix: string): string {
  if (prefix === 'EL') return 'GR';
  return prefix === 'XI' ? 'GB' : prefix;
}

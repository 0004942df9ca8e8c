/**
 * DNI, NIE, the K/L/M numbers of persons and the NIF of entities (RD 1065/2007, arts. 19-22; Orden
 * EHA/451/2008). A valid check character does not mean that the authority's census has the number.
 */

/** `special` is a person with a K, L or M number. */
export type SpanishTaxIdKind = 'dni' | 'nie' | 'special' | 'entity';

/** Nine characters, upper case, without the ES prefix. */
export type SpanishTaxId = { value: string; kind: SpanishTaxIdKind };

/** Longer than any identifier here, separators included. It bounds the work. */
const TEXT_MAX = 64;
const PERSON_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const ENTITY_LETTERS = 'JABCDEFGHI';

/**
 * Upper-cases an identifier and drops spaces, dots and hyphens. Undefined when nothing is left, or beyond
 * printable ASCII: upper case turns some letters (ſ, ı) into plain ones, so a look-alike would pass as the
 * real identifier.
 */
export function compactIdentifier(text: string): string | undefined {
  if (text.length > TEXT_MAX) return undefined;
  const bare = text.replace(/[\s.\u2010-\u2015-]/g, '');
  return /^[\x21-\x7e]+$/.test(bare) ? bare.toUpperCase() : undefined;
}

/** A text that may name an identification, spelled as most are stored: without separators and without the prefix of a Spanish NIF. */
export function identificationIn(text: string): string | null {
  const bare = (compactIdentifier(text) ?? '').replace(/^ES(?=[A-Z0-9]\d{7}[A-Z0-9]$)/, '');
  return /^[A-Z0-9]{4,20}$/.test(bare) && bare.replace(/\D/g, '').length >= 3 ? bare : null;
}

/**
 * Reads any usual spelling, also with the ES prefix.
 * @returns undefined unless kind and check character are right
 */
export function parseSpanishTaxId(text: string): SpanishTaxId | undefined {
  const compact = compactIdentifier(text);
  if (compact === undefined) return undefined;
  // No tax id is ES and eight more characters, so the prefix is unambiguous.
  const value = compact.length === 11 && compact.startsWith('ES') ? compact.slice(2) : compact;
  const kind = kindOf(value);
  return kind && { value, kind };
}

function kindOf(value: string): SpanishTaxIdKind | undefined {
  const lead = value.slice(0, 1);
  const control = value.slice(8);
  const body = value.slice(1, 8);
  if (/^\d{8}[A-Z]$/.test(value)) return control === personLetter(value.slice(0, 8)) ? 'dni' : undefined;
  if (/^[XYZ]\d{7}[A-Z]$/.test(value)) {
    return control === personLetter('XYZ'.indexOf(lead) + body) ? 'nie' : undefined;
  }
  if (/^[KLM]\d{7}[A-Z]$/.test(value)) return control === personLetter(body) ? 'special' : undefined;
  if (/^[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]$/.test(value)) {
    return isEntityControl(lead, body, control) ? 'entity' : undefined;
  }
  return undefined;
}

function personLetter(digits: string): string {
  return PERSON_LETTERS.charAt(Number(digits) % 23);
}

/** The legal form decides whether the control is a letter, a digit, or either. */
function isEntityControl(lead: string, body: string, control: string): boolean {
  const check = entityCheck(body);
  const letter = ENTITY_LETTERS.charAt(check);
  if ('PQRSNW'.includes(lead)) return control === letter;
  if ('ABEH'.includes(lead)) return control === String(check);
  return control === letter || control === String(check);
}

/** Doubles the digits in odd places and adds their digits. The check makes the sum a multiple of ten. */
function entityCheck(body: string): number {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    const digit = Number(body[i]);
    const doubled = digit * 2;
    sum += i % 2 === 1 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return (10 - (sum % 10)) % 10;
}

/**
 * The simple types of the authority's schemas. A fault is `stricter` when the authority's rules refuse the value and
 * the schema does not.
 */
import { isCalendarDay } from '../../kernel/dates.ts';
import { countCharacters, isLongerThan } from '../../kernel/text-length.ts';
import { fitsXml } from '../../kernel/xml-characters.ts';

/** `at` is the element's path from the root; `what` ends the sentence in Spanish. */
export type Fault = { at: string; what: string; stricter: boolean };

/** Roughly xs:dateTime: fractions, any offset or none, other years. */
const looseDateTime = /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

export class FaultList {
  readonly faults: Fault[] = [];

  add(at: string, what: string, stricter = false): void {
    this.faults.push({ at, what, stricter });
  }

  /** 1 to `max` code points, as XML counts them. */
  text(at: string, value: string, max: number, is_id = false): void {
    if (isLongerThan(value, max)) this.add(at, `pasa de ${max} caracteres`);
    else if (value === '') this.add(at, 'está vacío', !is_id);
    if (!fitsXml(value)) this.add(at, 'lleva caracteres que XML no admite', true);
  }

  maybeText(at: string, value: string | null, max: number): void {
    if (value !== null) this.text(at, value, max);
  }

  taxId(at: string, value: string): void {
    if (countCharacters(value) !== 9) this.add(at, 'no tiene 9 caracteres');
    else if (!/^[A-Z0-9]{9}$/.test(value)) this.add(at, 'no es un NIF', true);
  }

  day(at: string, value: string): void {
    if (!/^\d{4}-\d\d-\d\d$/.test(value)) this.add(at, 'no es una fecha');
    else if (!isCalendarDay(value)) this.add(at, 'no existe en el calendario', true);
  }

  /** Whole seconds and an offset in hours and minutes. The authority refuses other forms with 1244. */
  stamp(at: string, value: string): void {
    const is_right = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d[+-](0\d|1[0-3]):[0-5]\d$/.test(value);
    if (is_right && isCalendarDay(value.slice(0, 10))) return;
    this.add(at, 'no es una fecha con hora y huso', looseDateTime.test(value));
  }

  amount(at: string, value: string): void {
    if (!/^[+-]?\d{1,12}(\.\d{0,2})?$/.test(value))
      this.add(at, 'no cabe en 12 cifras enteras y 2 decimales');
    else if (!/^-?(0|[1-9]\d*)\.\d\d$/.test(value) || value === '-0.00')
      this.add(at, 'no lleva dos decimales justos', true);
  }

  maybeAmount(at: string, value: string | null): void {
    if (value !== null) this.amount(at, value);
  }

  maybeRate(at: string, value: string | null): void {
    if (value === null) return;
    if (!/^\d{1,3}(\.\d{0,2})?$/.test(value)) this.add(at, 'no cabe en 3 cifras enteras y 2 decimales');
    else if (!/^(0|[1-9]\d*)\.\d\d$/.test(value)) this.add(at, 'no lleva dos decimales justos', true);
  }

  huella(at: string, value: string): void {
    if (isLongerThan(value, 64)) this.add(at, 'pasa de 64 caracteres');
    else if (!/^[0-9A-F]{64}$/.test(value))
      this.add(at, 'no son 64 cifras hexadecimales en mayúsculas', true);
  }

  count(at: string, value: number, digits: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= 10 ** digits)
      this.add(at, `no cabe en ${digits} cifras`);
  }

  oneOf(at: string, value: string, values: readonly string[]): void {
    if (!values.includes(value)) this.add(at, 'no está en su lista');
  }

  maybeOneOf(at: string, value: string | null, values: readonly string[]): void {
    if (value !== null) this.oneOf(at, value, values);
  }
}

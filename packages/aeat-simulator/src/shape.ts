/** Checks order, number and text of elements, as a schema does. */
import { namespaces } from './namespaces.ts';
import type { Xml } from './xml-tree.ts';

export type Shape =
  | { kind: 'text'; fits: (text: string) => boolean }
  | { kind: 'sequence'; fields: readonly Field[] }
  | { kind: 'anything' };

/** `min` to `max` times one of these elements. */
export type Field = { options: readonly Option[]; min: number; max: number };
export type Option = { ns: string; name: string; shape: Shape };

export const text = (fits: (text: string) => boolean): Shape => ({ kind: 'text', fits });
export const sequence = (...fields: Field[]): Shape => ({ kind: 'sequence', fields });
export const option = (name: string, shape: Shape, ns: string = namespaces.sf): Option => ({
  ns,
  name,
  shape,
});
export const need = (name: string, shape: Shape, ns?: string): Field => oneOf(option(name, shape, ns));
export const may = (name: string, shape: Shape, ns?: string): Field => ({
  options: [option(name, shape, ns)],
  min: 0,
  max: 1,
});
/** One to `max`. */
export const many = (name: string, max: number, shape: Shape, ns?: string): Field => ({
  options: [option(name, shape, ns)],
  min: 1,
  max,
});
export const oneOf = (...options: Option[]): Field => ({ options, min: 1, max: 1 });

/** In code points, as a schema counts. */
export const upTo = (max: number, min = 0): Shape =>
  text((value) => {
    if (value.length < min) return false;
    return value.length <= max || (value.length <= 2 * max && [...value].length <= max);
  });
export const matching = (pattern: RegExp): Shape => text((value) => pattern.test(value));
export const among = (...values: string[]): Shape => text((value) => values.includes(value));

/** Path and reason of the first misfit, or null. */
export function faultIn(node: Xml, shape: Shape, path = node.name): string | null {
  if (shape.kind === 'anything') return null;
  if (shape.kind === 'text') {
    return node.children.length === 0 && shape.fits(node.text) ? null : `${path}: valor no admitido`;
  }
  if (node.text.trim() !== '') return `${path}: texto fuera de sus campos`;
  let at = 0;
  for (const { options, min, max } of shape.fields) {
    let count = 0;
    for (; count < max; count++, at++) {
      const child = node.children[at];
      const chosen = child && options.find(({ name, ns }) => name === child.name && ns === child.ns);
      if (!child || !chosen) break;
      const fault = faultIn(child, chosen.shape, `${path}/${child.name}`);
      if (fault) return fault;
    }
    if (count < min) return `${path}: falta ${options.map(({ name }) => name).join(' o ')}`;
  }
  const left = node.children[at];
  return left ? `${path}: ${left.name} no tiene sitio ahí` : null;
}

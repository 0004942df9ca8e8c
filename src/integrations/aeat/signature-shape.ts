/**
 * Reads a signature strictly: each element has exactly the expected children and attributes. Attacks on signatures hide
 * what nobody reads; here nothing is left unread.
 */
import { XmlElement, XmlText } from 'libxml2-wasm';
import { DS, XADES } from './signature-profile.ts';

/** Why a signature is refused, for people. */
export class RefusedSignature extends Error {}

export const refusals = {
  shape: 'La firma no tiene la forma que le corresponde.',
} as const;

const prefixes: Readonly<Record<string, string>> = { ds: DS, xades: XADES };

/** An expected element, as `ds:SignedInfo`. */
type Expected = `${'ds' | 'xades'}:${string}`;

/**
 * The children of an element, which are exactly these in this order, without text between them.
 * @throws RefusedSignature otherwise
 */
export function take<const E extends readonly Expected[]>(
  element: XmlElement,
  ...expected: E
): { [K in keyof E]: XmlElement } {
  const found = childElements(element);
  if (found.length !== expected.length || !found.every((child, i) => is(child, expected[i] ?? 'ds:')))
    throw new RefusedSignature(refusals.shape);
  return found as { [K in keyof E]: XmlElement };
}

/** The children of an element: one or more, all of this name. */
export function takeAll(element: XmlElement, expected: Expected): XmlElement[] {
  const found = childElements(element);
  if (found.length === 0 || !found.every((child) => is(child, expected)))
    throw new RefusedSignature(refusals.shape);
  return found;
}

/** The values of an element's attributes, which are exactly these, without prefixes. */
export function takeAttributes<const N extends readonly string[]>(
  element: XmlElement,
  ...names: N
): { [K in keyof N]: string } {
  const { attrs } = element;
  const values = names.map(
    (name) => attrs.find((attr) => attr.name === name && attr.namespaceUri === '')?.value,
  );
  if (attrs.length !== names.length || values.includes(undefined)) throw new RefusedSignature(refusals.shape);
  return values as { [K in keyof N]: string };
}

/** The text of an element that holds nothing else. */
export function takeText(element: XmlElement): string {
  const { firstChild } = element;
  if (firstChild === null) return '';
  if (!(firstChild instanceof XmlText) || firstChild.next !== null)
    throw new RefusedSignature(refusals.shape);
  return firstChild.content;
}

/** Bytes in canonical base64: no blanks, no spare bits. */
export function takeBytes(element: XmlElement): Buffer {
  const text = takeText(element);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== text) throw new RefusedSignature(refusals.shape);
  return bytes;
}

/** The algorithm of an element that says nothing else. */
export function algorithmOf(element: XmlElement): string {
  take(element);
  return takeAttributes(element, 'Algorithm')[0];
}

/** The bytes in an element without attributes. */
export function takePlainBytes(element: XmlElement): Buffer {
  takeAttributes(element);
  return takeBytes(element);
}

/** @throws RefusedSignature with this reason when the condition is false */
export function demand(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new RefusedSignature(reason);
}

function is(element: XmlElement, expected: Expected): boolean {
  const [prefix = '', name = ''] = expected.split(':');
  return element.name === name && element.namespaceUri === prefixes[prefix];
}

function childElements(element: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  for (let child = element.firstChild; child !== null; child = child.next) {
    if (!(child instanceof XmlElement)) throw new RefusedSignature(refusals.shape);
    found.push(child);
  }
  return found;
}

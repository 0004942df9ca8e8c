/**
 * Walks a signature strictly: each element has exactly the children and attributes that are expected, and nothing else
 * is there. What is not looked at cannot be smuggled in, which is how signatures are usually got around.
 */
import { XmlElement, XmlText } from 'libxml2-wasm';
import { DS, XADES } from './signature-profile.ts';

/** Why a signature is refused, in words for the person who reads the check's result. */
export class RefusedSignature extends Error {}

export const refusals = {
  shape: 'La firma no tiene la forma que le corresponde.',
} as const;

const prefixes: Readonly<Record<string, string>> = { ds: DS, xades: XADES };

/** An element that has to be there, written `ds:SignedInfo`. */
type Expected = `${'ds' | 'xades'}:${string}`;

/**
 * The children of an element when they are exactly these, in this order, and no text is between them.
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

/** The children when there is at least one and each is this one. */
export function takeAll(element: XmlElement, expected: Expected): XmlElement[] {
  const found = childElements(element);
  if (found.length === 0 || !found.every((child) => is(child, expected)))
    throw new RefusedSignature(refusals.shape);
  return found;
}

/** The values of an element's attributes, when it has exactly these, without a prefix. */
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

/** An element's text, when it has nothing else in it. */
export function takeText(element: XmlElement): string {
  const { firstChild } = element;
  if (firstChild === null) return '';
  if (!(firstChild instanceof XmlText) || firstChild.next !== null)
    throw new RefusedSignature(refusals.shape);
  return firstChild.content;
}

/** Bytes in base 64, spelt the one right way: no blanks, no spare bits. */
export function takeBytes(element: XmlElement): Buffer {
  const text = takeText(element);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== text) throw new RefusedSignature(refusals.shape);
  return bytes;
}

/** The algorithm that an element names, and all it says. */
export function algorithmOf(element: XmlElement): string {
  take(element);
  return takeAttributes(element, 'Algorithm')[0];
}

/** Bytes of an element without attributes. */
export function takePlainBytes(element: XmlElement): Buffer {
  takeAttributes(element);
  return takeBytes(element);
}

/** @throws RefusedSignature with that reason unless it holds */
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

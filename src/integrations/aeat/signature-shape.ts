/**
 * Each element must have exactly the expected children and attributes: attacks on signatures hide in what nobody
 * reads.
 */
import { XmlElement, XmlText } from 'libxml2-wasm';
import { DS, XADES } from './signature-profile.ts';

/** The message is for people. */
export class RefusedSignature extends Error {}

export const refusals = {
  shape: 'La firma no tiene la forma que le corresponde.',
} as const;

const prefixes: Readonly<Record<string, string>> = { ds: DS, xades: XADES };

/** As `ds:SignedInfo`. */
type Expected = `${'ds' | 'xades'}:${string}`;

/**
 * The children must be exactly these in this order, without text between them.
 * @throws RefusedSignature
 */
export function take<const E extends readonly Expected[]>(
  element: XmlElement,
  ...expected: E
): { [K in keyof E]: XmlElement } {
  const found = childElements(element);
  if (found.length !== expected.length || !found.every((child, i) => isNamed(child, expected[i] ?? 'ds:')))
    throw new RefusedSignature(refusals.shape);
  return found as { [K in keyof E]: XmlElement };
}

/** One or more children, all of this name. */
export function takeAll(element: XmlElement, expected: Expected): XmlElement[] {
  const found = childElements(element);
  if (found.length === 0 || !found.every((child) => isNamed(child, expected)))
    throw new RefusedSignature(refusals.shape);
  return found;
}

/** The attributes must be exactly these, without prefixes. */
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

/** The element must hold nothing else. */
export function takeText(element: XmlElement): string {
  const { firstChild } = element;
  if (firstChild === null) return '';
  if (!(firstChild instanceof XmlText) || firstChild.next !== null)
    throw new RefusedSignature(refusals.shape);
  return firstChild.content;
}

/** Canonical base64: no blanks, no spare bits. */
export function takeBytes(element: XmlElement): Buffer {
  const text = takeText(element);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== text) throw new RefusedSignature(refusals.shape);
  return bytes;
}

/** The element must hold nothing else. */
export function algorithmOf(element: XmlElement): string {
  take(element);
  return takeAttributes(element, 'Algorithm')[0];
}

/** The element must have no attributes. */
export function takePlainBytes(element: XmlElement): Buffer {
  takeAttributes(element);
  return takeBytes(element);
}

/** @throws RefusedSignature with this reason */
export function refuseUnless(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new RefusedSignature(reason);
}

function isNamed(element: XmlElement, expected: Expected): boolean {
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

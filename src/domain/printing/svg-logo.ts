/**
 * What an SVG may be as a logo: a drawing complete in itself. Nothing that runs, moves or comes from elsewhere; no
 * entities; nothing that takes long to draw, such as a filter, or references that, one within the other, make a few
 * lines draw without end. The text is gone through once, so that looking at it takes time with its length whatever it is.
 */
import type { Buffer } from 'node:buffer';
import { refuse, SvgFault } from './svg-faults.ts';
import { referencesByStyle, type StyleReferences } from './svg-styles.ts';
import { readTree, type SvgElement, type SvgTree } from './svg-tree.ts';

/** What is drawn, in characters of the SVG, with what is drawn again by a reference: more than any of it is long. */
const drawnMax = 2_000_000;
/** What an element takes whatever it says, a reference to one, and a letter that has to be shaped. */
const weights = { element: 40, reference: 10, letter: 500 };
const nestedMax = 400;

/**
 * Drawn as pictures of their own, or once for each point of a line: a few of them take minutes. Drawing programs
 * leave some behind that nothing uses.
 */
const slow: ReadonlySet<string> = new Set(['filter', 'marker', 'pattern']);

/** @returns why it cannot be a logo, in Spanish, or undefined when it can */
export function svgFault(bytes: Buffer): string | undefined {
  try {
    const tree = readTree(decode(bytes));
    drawnBy(tree.root, { ...tree, styles: referencesByStyle(tree.style_sheets) }, new Set());
    return undefined;
  } catch (error) {
    if (error instanceof SvgFault) return error.message;
    throw error;
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('not_utf8');
  }
}

type Drawing = SvgTree & { styles: StyleReferences };

/**
 * How much is drawn by an element, with those that it refers to.
 * @throws SvgFault for what goes round, too deep, or beyond what may be drawn
 */
function drawnBy(element: SvgElement, drawing: Drawing, within: Set<SvgElement>): number {
  if (element.drawn !== null) return element.drawn;
  if (within.has(element) || within.size > nestedMax) throw refuse('complex');
  within.add(element);
  let drawn = weights.element + element.length + element.letters * weights.letter;
  const add = (weight: number) => {
    drawn += weight;
    if (drawn > drawnMax) throw refuse('complex');
  };
  for (const child of element.children) add(drawnBy(child, drawing, within));
  for (const references of [element.references, ...drawing.styles.of(element)]) {
    for (const id of references) {
      add(weights.reference);
      // Which of two of one name is meant, programs do not agree on.
      for (const target of drawing.by_id.get(id) ?? []) {
        if (slow.has(target.name)) throw refuse('element', target.name);
        add(drawnBy(target, drawing, within));
      }
    }
  }
  within.delete(element);
  element.drawn = drawn;
  return drawn;
}

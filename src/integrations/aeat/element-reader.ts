/**
 * Reads the children of an element in the order of a schema. A missing, misplaced or unknown element is an error with
 * its path, in Spanish, as people see it.
 */
import type { XmlNode } from './xml-tree.ts';

export class ElementReader {
  readonly #node: XmlNode;
  readonly #namespace: string;
  readonly #path: string;
  #at = 0;

  constructor(node: XmlNode, namespace: string, path = node.name) {
    this.#node = node;
    this.#namespace = namespace;
    this.#path = path;
    if (node.namespace !== namespace) throw new Error(`${path} es de otro espacio de nombres`);
    if (node.has_attributes) throw new Error(`${path} lleva atributos`);
    if (node.children.length > 0 && node.content.trim() !== '')
      throw new Error(`${path} lleva texto entre sus elementos`);
  }

  /** The next child, which must have this name. */
  one(name: string): ElementReader {
    const found = this.maybe(name);
    if (found === null) throw new Error(`en ${this.#path} falta ${name}${this.#instead()}`);
    return found;
  }

  maybe(name: string): ElementReader | null {
    const next = this.#node.children[this.#at];
    if (next?.name !== name || next.namespace !== this.#namespace) return null;
    this.#at++;
    return new ElementReader(next, this.#namespace, `${this.#path}/${name}`);
  }

  /** All children of this name that follow. */
  many<T>(name: string, read: (child: ElementReader) => T): T[] {
    const found: T[] = [];
    for (let child = this.maybe(name); child !== null; child = this.maybe(name)) found.push(read(child));
    return found;
  }

  /** The text of the next child, which must have this name. */
  text(name: string): string {
    return this.one(name).ownText();
  }

  maybeText(name: string): string | null {
    return this.maybe(name)?.ownText() ?? null;
  }

  /** The text of the next child, one of a closed list. */
  choice<T extends string>(name: string, values: readonly T[]): T {
    return this.#oneOf(name, this.text(name), values);
  }

  maybeChoice<T extends string>(name: string, values: readonly T[]): T | null {
    const text = this.maybeText(name);
    return text === null ? null : this.#oneOf(name, text, values);
  }

  /** Whether the optional child says S. */
  flag(name: string): boolean {
    return this.maybeChoice(name, ['S', 'N']) === 'S';
  }

  /** Whether the next child is of another namespace, as a signature is. */
  foreign(name: string, namespace: string): boolean {
    const next = this.#node.children[this.#at];
    if (next?.name !== name || next.namespace !== namespace) return false;
    this.#at++;
    return true;
  }

  /** Refuses further children. */
  end(): void {
    if (this.#at < this.#node.children.length)
      throw new Error(`en ${this.#path} sobra algo${this.#instead()}`);
    if (this.#node.children.length === 0 && this.#node.content.trim() !== '')
      throw new Error(`${this.#path} lleva texto propio`);
  }

  /** The text of an element without children. */
  ownText(): string {
    if (this.#node.children.length > 0) throw new Error(`${this.#path} lleva elementos en lugar de texto`);
    return this.#node.content;
  }

  #oneOf<T extends string>(name: string, text: string, values: readonly T[]): T {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new Error(`${this.#path}/${name}: no está en su lista`);
    return found;
  }

  #instead(): string {
    const next = this.#node.children[this.#at];
    return next === undefined ? '' : ` (sigue ${next.name.slice(0, 80)})`;
  }
}

/**
 * Reads children in the order of a schema. A missing, misplaced or unknown element is an error with its path, in
 * Spanish.
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

  /** @throws Error unless the next child has this name */
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

  many<T>(name: string, read: (child: ElementReader) => T): T[] {
    const found: T[] = [];
    for (let child = this.maybe(name); child !== null; child = this.maybe(name)) found.push(read(child));
    return found;
  }

  text(name: string): string {
    return this.one(name).ownText();
  }

  maybeText(name: string): string | null {
    return this.maybe(name)?.ownText() ?? null;
  }

  /** Takes one text of a closed list. */
  choice<T extends string>(name: string, values: readonly T[]): T {
    return this.#oneOf(name, this.text(name), values);
  }

  maybeChoice<T extends string>(name: string, values: readonly T[]): T | null {
    const text = this.maybeText(name);
    return text === null ? null : this.#oneOf(name, text, values);
  }

  flag(name: string): boolean {
    return this.maybeChoice(name, ['S', 'N']) === 'S';
  }

  /** Skips a child of another namespace, such as a signature. */
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

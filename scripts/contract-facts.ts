/**
 * Reads an OpenAPI document as facts such as `create_invoice · body · lines[].tax_rate · maximum 100`.
 * References are followed and `allOf` is merged, so that equal promises give equal facts.
 */
type Node = { [keyword: string]: unknown };

const methods = ['get', 'post', 'put', 'delete'];

/** These limit a value; other keywords are structure or text. */
const limits = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'default',
];

function isNode(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** All facts of operations and webhooks, sorted. An example is its title; `texts` adds its text. */
export function contractFacts(document: unknown, options: { texts?: boolean } = {}): string[] {
  const reader = new FactReader(document as Node, options.texts ?? false);
  const { paths, webhooks } = document as { paths?: Node; webhooks?: Node };
  reader.readPaths('', paths ?? {});
  reader.readPaths('webhook ', webhooks ?? {});
  return [...reader.facts].sort();
}

class FactReader {
  readonly facts = new Set<string>();
  readonly #root: Node;
  readonly #texts: boolean;

  constructor(root: Node, texts: boolean) {
    this.#root = root;
    this.#texts = texts;
  }

  readPaths(kind: string, items: Node): void {
    for (const [path, given] of Object.entries(items))
      for (const method of methods) {
        const operation = (given as Node)[method];
        if (!isNode(operation)) continue;
        const route = `${kind}${method.toUpperCase()} ${path}`;
        this.#operation(route, String(operation.operationId), operation);
      }
  }

  #operation(route: string, name: string, operation: Node): void {
    this.#tell(name, `route ${route}`);
    for (const kind of ['summary', 'description']) this.#text(name, kind, operation[kind]);
    for (const tag of (operation.tags ?? []) as string[]) this.#tell(name, `tag ${tag}`);
    for (const [keyword, value] of Object.entries(operation))
      if (keyword.startsWith('x-')) this.#tell(name, `${keyword} ${JSON.stringify(value)}`);
    for (const way of (operation.security ?? []) as Node[])
      this.#tell(name, `security ${JSON.stringify(way)}`);
    for (const given of (operation.parameters ?? []) as unknown[]) {
      const parameter = this.#follow(given);
      const at = `${name} · ${String(parameter.in)}`;
      const path = String(parameter.name);
      if (parameter.required === true) this.#tell(`${at} · ${path}`, 'required');
      this.#text(`${at} · ${path}`, 'description', parameter.description);
      if ('example' in parameter)
        this.#tell(`${at} · ${path}`, `example ${JSON.stringify(parameter.example)}`);
      this.#schema(at, path, parameter.schema);
    }
    const body = this.#follow(operation.requestBody);
    if (body.required === true) this.#tell(`${name} · body`, 'required');
    this.#content(`${name} · body`, body.content);
    for (const [status, given] of Object.entries((operation.responses ?? {}) as Node)) {
      const answer = this.#follow(given);
      this.#text(`${name} · ${status}`, 'description', answer.description);
      for (const [header, said] of Object.entries((answer.headers ?? {}) as Node)) {
        this.#text(`${name} · ${status} · header ${header}`, 'description', this.#follow(said).description);
        this.#schema(`${name} · ${status} · header ${header}`, '', this.#follow(said).schema);
      }
      this.#content(`${name} · ${status}`, answer.content);
    }
  }

  #content(at: string, content: unknown): void {
    for (const [media, given] of Object.entries((content ?? {}) as Node)) {
      const { schema, examples = {} } = this.#follow(given);
      this.#schema(`${at} · ${media}`, '', schema);
      for (const example of Object.values(examples as Node)) {
        const { summary, value } = this.#follow(example);
        this.#tell(`${at} · ${media}`, `example ${String(summary)}`);
        if (this.#texts)
          this.#tell(`${at} · ${media}`, `example ${String(summary)} ${JSON.stringify(value)}`);
      }
    }
  }

  #schema(at: string, path: string, given: unknown): void {
    const schema = this.#follow(given);
    const here = `${at} · ${path === '' ? '(all)' : path}`;
    this.#text(here, 'description', schema.description);
    for (const type of [schema.type ?? []].flat()) this.#tell(here, `type ${String(type)}`);
    if ('const' in schema) this.#tell(here, `enum ${JSON.stringify(schema.const)}`);
    for (const value of (schema.enum ?? []) as unknown[])
      this.#tell(here, value === null ? 'type null' : `enum ${JSON.stringify(value)}`);
    for (const name of limits)
      if (name in schema) this.#tell(here, `${name} ${JSON.stringify(schema[name])}`);
    if (schema.additionalProperties === false) this.#tell(here, 'closed');
    if (isNode(schema.additionalProperties)) this.#schema(at, `${path}{}`, schema.additionalProperties);
    if (isNode(schema.propertyNames)) this.#schema(at, `${path}{name}`, schema.propertyNames);
    if (isNode(schema.items)) this.#schema(at, `${path}[]`, schema.items);
    const member = (name: string) => (path === '' ? name : `${path}.${name}`);
    for (const name of (schema.required ?? []) as string[]) this.#tell(`${at} · ${member(name)}`, 'required');
    for (const [name, inner] of Object.entries((schema.properties ?? {}) as Node))
      this.#schema(at, member(name), inner);
    for (const part of (schema.allOf ?? []) as unknown[]) this.#schema(at, path, part);
    this.#choice(at, path, (schema.anyOf ?? schema.oneOf ?? []) as unknown[]);
  }

  /** `X or null` gives the facts of X and the type null. Of several choices each has its name in the path. */
  #choice(at: string, path: string, choices: readonly unknown[]): void {
    const others = choices.filter((choice) => this.#follow(choice).type !== 'null');
    if (others.length < choices.length) this.#tell(`${at} · ${path === '' ? '(all)' : path}`, 'type null');
    if (others.length === 1) this.#schema(at, path, others[0]);
    else
      for (const [i, choice] of others.entries())
        this.#schema(at, `${path}<${this.#choiceName(this.#follow(choice), i)}>`, choice);
  }

  #choiceName(choice: Node, i: number): string {
    const { object } = (choice.properties ?? {}) as Node;
    return String(this.#follow(object).const ?? (typeof choice.type === 'string' ? choice.type : i));
  }

  #follow(value: unknown): Node {
    if (!isNode(value)) return {};
    if (typeof value.$ref !== 'string') return value;
    const { $ref, ...beside } = value;
    let target: unknown = this.#root;
    for (const part of $ref.slice(2).split('/'))
      target = (target as Node)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    if (target === undefined) throw new Error(`${$ref} leads nowhere`);
    return { ...this.#follow(target), ...beside };
  }

  #tell(at: string, fact: string): void {
    this.facts.add(`${at} · ${fact}`);
  }

  #text(at: string, kind: string, text: unknown): void {
    if (typeof text === 'string') this.#tell(at, this.#texts ? `${kind} ${JSON.stringify(text)}` : kind);
  }
}

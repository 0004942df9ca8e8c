/**
 * Names for the resources of the document. One resource may have several shapes (a key in a list, a key
 * retrieved, a key just made): the shape that most operations use has the plain name, the others add the
 * operation that shows them first.
 */
import type { Operation } from '../../kernel/operation.ts';
import { type JsonSchema, type Placer, resourceName, toWireSchema } from '../shared/wire-schema.ts';

/** `delivery_note` to `DeliveryNote`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

type ResourceShape = { resource: string; operations: Set<string>; key: string };

/**
 * Finds every resource shape in inputs and outputs and names it.
 * @returns the placer that refers to the shapes, and the components, sorted by name
 */
export function nameResources(operations: readonly Operation[]): {
  place: Placer;
  schemas: Record<string, JsonSchema>;
} {
  const shapes = new Map<string, ResourceShape>();
  for (const operation of operations) {
    const note: Placer = (house, wire) => {
      const key = JSON.stringify(wire);
      const resource = resourceName(house) ?? '';
      const shape = shapes.get(key) ?? { resource, operations: new Set(), key };
      shape.operations.add(operation.name);
      shapes.set(key, shape);
      return wire;
    };
    for (const schema of schemasOf(operation)) toWireSchema(schema, note);
  }
  const names = nameShapes(
    [...shapes.values()].filter(({ key }) => !isReceipt(JSON.parse(key) as JsonSchema)),
  );
  const schemas = new Map<string, JsonSchema>();
  const place: Placer = (house, wire) => {
    const name = names.get(JSON.stringify(toWireSchema({ ...house, nullable: false })));
    if (name === undefined) return wire;
    schemas.set(name, wire);
    return { $ref: `#/components/schemas/${name}` };
  };
  for (const operation of operations) for (const schema of schemasOf(operation)) toWireSchema(schema, place);
  return { place, schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function schemasOf({ body, output }: Operation): JsonSchema[] {
  return body ? [body as JsonSchema, output as JsonSchema] : [output as JsonSchema];
}

/** The answer of a DELETE is no shape of the resource. */
function isReceipt(wire: JsonSchema): boolean {
  return 'deleted' in (wire.properties as JsonSchema);
}

function nameShapes(shapes: readonly ResourceShape[]): Map<string, string> {
  const names = new Map<string, string>();
  const by_resource = Map.groupBy(shapes, (shape) => shape.resource);
  for (const [resource, variants] of by_resource) {
    const base = pascalCase(resource);
    // Sorting is stable: of two shapes used equally often, the catalogue's first has the plain name.
    const [main, ...others] = variants.toSorted((a, b) => b.operations.size - a.operations.size);
    if (main) names.set(main.key, base);
    const taken = new Set([base]);
    for (const { key, operations } of others) {
      const [first = ''] = operations;
      let name = `${base}Of${pascalCase(first)}`;
      for (let n = 2; taken.has(name); n++) name = `${base}Of${pascalCase(first)}${n}`;
      taken.add(name);
      names.set(key, name);
    }
  }
  return names;
}

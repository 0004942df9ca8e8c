/** Schemas as TypeScript, for types that the source has only at run time. */
import type { TSchema } from '../src/kernel/schema.ts';

type Schema = {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  nullable?: boolean;
  decimal?: unknown;
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  description?: string;
};

/** @param indent of the line that it begins on */
export function typeText(schema: TSchema, indent = ''): string {
  const shape = schema as Schema;
  const text = bareText(shape, indent);
  return shape.nullable ? `${text} | null` : text;
}

function bareText(schema: Schema, indent: string): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => typeText(one as TSchema, indent)).join(' | ');
  if (schema.decimal) return 'number';
  if (schema.type === 'array')
    return `(${schema.items ? typeText(schema.items as TSchema, indent) : 'unknown'})[]`;
  if (schema.type === 'object') return objectText(schema, indent);
  if (schema.type === 'integer') return 'number';
  return typeof schema.type === 'string' ? schema.type : 'unknown';
}

function objectText({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `;
  if (properties === undefined) {
    const values =
      typeof additionalProperties === 'object'
        ? typeText(additionalProperties as TSchema, indent)
        : 'unknown';
    return `Record<string, ${values}>`;
  }
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${inner}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${mark}: ${typeText(schema as TSchema, inner)};\n`;
  });
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('')}${indent}}`;
}

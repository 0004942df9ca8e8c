/** What an operation accepts fits its body limit, and a limit above the usual one has a reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largestBody, usualBody } from '../kernel/operation.ts';
import { catalog } from './catalog.ts';
import { personOperations } from './people/index.ts';

type Node = {
  type?: string;
  anyOf?: Node[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
  patternProperties?: Record<string, Node>;
  items?: Node;
  maxItems?: number;
  maxLength?: number;
  maxProperties?: number;
  format?: string;
};

/** Of keys that the caller chooses. */
const keyBytes = 80;

/** The longest text in ASCII that the schema allows. Without a bound it fails. */
function bytesOf(node: Node, at: string): number {
  if (node.anyOf) return Math.max(...node.anyOf.map((one) => bytesOf(one, at)));
  if (node.const !== undefined) return JSON.stringify(node.const).length;
  if (node.enum) return Math.max(...node.enum.map((one) => JSON.stringify(one).length));
  if (node.type === 'string') {
    assert.ok(node.maxLength !== undefined || node.format, `${at} has no maxLength`);
    return (node.maxLength ?? 36) + 2;
  }
  if (node.type === 'array') {
    assert.ok(node.maxItems !== undefined && node.items, `${at} has no maxItems`);
    return 2 + node.maxItems * (1 + bytesOf(node.items, `${at}[]`));
  }
  if (node.type !== 'object') return 24;
  let bytes = 2;
  for (const [name, member] of Object.entries(node.properties ?? {}))
    bytes += name.length + 4 + bytesOf(member, `${at}.${name}`);
  const free = Object.values(node.patternProperties ?? {})[0] ?? node.additionalProperties;
  if (free && typeof free === 'object') {
    assert.ok(node.maxProperties !== undefined, `${at} has no maxProperties`);
    bytes += node.maxProperties * (keyBytes + bytesOf(free, `${at}.*`));
  }
  return bytes;
}

for (const { name, body, body_limit } of [...catalog, ...personOperations]) {
  if (!body) continue;
  test(`${name} takes ${body_limit} bytes`, () => {
    const bytes = bytesOf(body as Node, name);
    if (body_limit < largestBody) assert.ok(bytes <= body_limit, `its schema allows ${bytes} bytes`);
    if (body_limit > usualBody) assert.ok(bytes > usualBody, `its schema needs no more than ${bytes} bytes`);
  });
}

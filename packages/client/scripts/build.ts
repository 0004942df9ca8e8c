/**
 * Builds the package: types and a table of the operations from the OpenAPI document, then JavaScript with declarations.
 * `node scripts/build.ts [FOLDER] [DOCUMENT]` builds into a copy in FOLDER, so that the source stays as it is.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

type Parameter = { $ref?: string; name: string };
type Described = {
  operationId: string;
  parameters: Parameter[];
  responses: Record<string, { content?: Record<string, { schema?: { properties?: object } }> }>;
  'x-effects': string;
};
type Delivery = {
  requestBody: { content: { 'application/json': { schema: { properties: object; allOf?: unknown } } } };
};
type Document = {
  info: { version: string };
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: Delivery }>;
  components: { parameters: Record<string, Parameter> };
};

const source = dirname(dirname(fileURLToPath(import.meta.url)));
const [folder = source, document_file = join(source, '../../docs/openapi.json')] = process.argv.slice(2);
const out = resolve(folder);
const document = JSON.parse(readFileSync(document_file, 'utf8')) as Document;

if (out !== source)
  for (const part of ['src', 'package.json', 'README.md', 'tsconfig.json'])
    cpSync(join(source, part), join(out, part), { recursive: true });
const generated = join(out, 'src/generated');
mkdirSync(generated, { recursive: true });
writeFileSync(join(generated, 'types.ts'), await types());
writeFileSync(join(generated, 'table.ts'), table());
const compiler = createRequire(join(source, '../../package.json')).resolve('typescript/package.json');
execFileSync(process.execPath, [join(dirname(compiler), 'bin/tsc'), '-p', out], { stdio: 'inherit' });

/** An object without members may have any. */
async function types(): Promise<string> {
  const { webhooks, ...called } = document;
  const entries = Object.entries(webhooks).map(([name, { post }]) => [name, { post: deliveryOf(post) }]);
  const told = { ...called, webhooks: Object.fromEntries(entries) } as unknown as OpenAPI3;
  return astToString(await openapiTS(told, { silent: true, emptyObjectsUnknown: true }));
}

/**
 * The body of an event alone: nobody calls a webhook. What it says is required, and what all events share is left out,
 * as `data` of any event would take every member.
 */
function deliveryOf({ requestBody: { content } }: Delivery): object {
  const { allOf: _, ...schema } = content['application/json'].schema;
  const body = { required: Object.keys(schema.properties), ...schema };
  return {
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {},
  };
}

/** `create_invoice: 'POST /v1/invoices key'`. The words after the path are those of `Trait` in src/operations.ts. */
function table(): string {
  const lines = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) =>
        `  ${operation.operationId}: '${[method.toUpperCase(), path, ...traitsOf(method, operation)].join(' ')}',`,
    ),
  );
  return `/** Generated from the OpenAPI document. */
export const version = '${document.info.version}';

export const table = {
${lines.join('\n')}
} as const;
`;
}

function traitsOf(method: string, operation: Described): string[] {
  const names = operation.parameters.map(({ $ref, name }) =>
    $ref === undefined ? name : document.components.parameters[$ref.split('/').at(-1) ?? '']?.name,
  );
  const media = Object.values(operation.responses).flatMap(({ content }) => Object.entries(content ?? {}));
  const members = media[0]?.[1].schema?.properties ?? {};
  return [
    ...(names.includes('Idempotency-Key') ? ['key'] : []),
    ...(method === 'get' || operation['x-effects'] === 'read' ? ['repeatable'] : []),
    ...('next_cursor' in members ? ['list'] : []),
    ...(media[0]?.[0] === 'application/json' ? [] : ['file']),
  ];
}

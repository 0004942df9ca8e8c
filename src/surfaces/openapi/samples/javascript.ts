import { keyVariable, type SampleCall } from './sample-call.ts';
import { indented } from './literals.ts';

/** An ES module for Node 18 and newer, without packages. */
export function javascriptSample({ method, url, needs_retry_key, version, body, file }: SampleCall): string {
  const headers = [`Authorization: \`Bearer \${process.env.${keyVariable}}\`,`];
  if (version !== null) headers.push(`'Service-Version': '${version}',`);
  if (needs_retry_key) headers.push("'Idempotency-Key': crypto.randomUUID(),");
  if (body !== undefined) headers.push("'Content-Type': 'application/json',");
  return [
    ...(file === null ? [] : ["import { writeFile } from 'node:fs/promises';", '']),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    ...headers.map((line) => `    ${line}`),
    '  },',
    // JSON is an expression of JavaScript.
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), '  ')}),`]),
    '});',
    ...(file === null
      ? ['console.log(response.status, await response.json());']
      : [
          'if (!response.ok) throw new Error(await response.text());',
          `await writeFile(${JSON.stringify(file)}, Buffer.from(await response.arrayBuffer()));`,
        ]),
  ].join('\n');
}

import { indented, literal } from './literals.ts';
import { keyVariable, type SampleCall } from './sample-call.ts';

/** For PHP 8, without extensions. */
export function phpSample({ method, url, needs_retry_key, version, body, file }: SampleCall): string {
  const headers = [`'Authorization: Bearer ' . getenv('${keyVariable}'),`];
  if (version !== null) headers.push(`'Service-Version: ${version}',`);
  if (needs_retry_key) headers.push("'Idempotency-Key: ' . bin2hex(random_bytes(16)),");
  if (body !== undefined) headers.push("'Content-Type: application/json',");
  return [
    '<?php',
    "$context = stream_context_create(['http' => [",
    `    'method' => '${method}',`,
    "    'header' => [",
    ...headers.map((line) => `        ${line}`),
    '    ],',
    ...(body === undefined ? [] : [`    'content' => json_encode(${indented(literal(body, php), '    ')}),`]),
    ...(file === null ? ["    'ignore_errors' => true,"] : []),
    ']]);',
    `$answer = file_get_contents(${quoted(url)}, false, $context);`,
    file === null
      ? 'print_r(json_decode($answer, true));'
      : `if ($answer !== false) file_put_contents(${quoted(file)}, $answer);`,
  ].join('\n');
}

function quoted(text: string): string {
  // Between single quotes only the quote and the backslash are escaped.
  if (/[\n\r\t]/.test(text)) return JSON.stringify(text).replaceAll('$', '\\$');
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

const php = {
  null: 'null',
  true: 'true',
  false: 'false',
  text: quoted,
  list: ['[', ']'],
  object: ['[', ']'],
  member: (name: string, value: string) => `${name} => ${value}`,
  no_members: 'new stdClass()',
} as const;

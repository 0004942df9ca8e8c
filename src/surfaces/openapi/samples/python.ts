import { indented, literal } from './literals.ts';
import { keyVariable, type SampleCall } from './sample-call.ts';

/** For Python 3.9 and newer, without packages. */
export function pythonSample({ method, url, needs_retry_key, version, body, file }: SampleCall): string {
  const headers = [`"Authorization": f"Bearer {os.environ['${keyVariable}']}",`];
  if (version !== null) headers.push(`"Service-Version": "${version}",`);
  if (needs_retry_key) headers.push('"Idempotency-Key": str(uuid.uuid4()),');
  if (body !== undefined) headers.push('"Content-Type": "application/json",');
  return [
    ...(file === null || body !== undefined ? ['import json'] : []),
    'import os',
    ...(file === null ? ['import urllib.error'] : []),
    'import urllib.request',
    ...(needs_retry_key ? ['import uuid'] : []),
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    '    headers={',
    ...headers.map((line) => `        ${line}`),
    '    },',
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${indented(literal(body, python), '    ')}).encode(),`]),
    ')',
    ...(file === null
      ? [
          'try:',
          '    response = urllib.request.urlopen(request)',
          'except urllib.error.HTTPError as refusal:',
          '    response = refusal',
          'with response:',
          '    print(response.status, json.load(response))',
        ]
      : [
          'with urllib.request.urlopen(request) as response:',
          `    with open(${JSON.stringify(file)}, "wb") as file:`,
          '        file.write(response.read())',
        ]),
  ].join('\n');
}

const python = {
  null: 'None',
  true: 'True',
  false: 'False',
  // JSON's escapes are Python's.
  text: (value: string) => JSON.stringify(value),
  list: ['[', ']'],
  object: ['{', '}'],
  member: (name: string, value: string) => `${name}: ${value}`,
} as const;

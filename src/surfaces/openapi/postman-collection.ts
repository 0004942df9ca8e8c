/**
 * The catalogue as a Postman collection (format 2.1): a folder for each tag, a request for each example. Base address and key
 * are variables, so that nobody's key is in a collection that is shared.
 */
import type { Example, Operation } from '../../kernel/operation.ts';
import { latestVersion } from '../../kernel/versions.ts';
import { presentExample } from './examples.ts';
import { groupByTag } from './tags.ts';

const format = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

type Variable = { key: string; value: string; description?: string };

/** @param public_url of the service that the requests go to until somebody sets the variable */
export function makePostmanCollection(operations: readonly Operation[], public_url: string): object {
  const variable: Variable[] = [
    { key: 'base_url', value: public_url, description: 'La dirección del servicio.' },
    { key: 'api_key', value: '', description: 'Una clave de API: svc_test_… o svc_live_…' },
  ];
  return {
    info: {
      name: `Folio ${latestVersion}`,
      description:
        'Ponga su clave en la variable `api_key`. Cada petición que modifica datos lleva una `Idempotency-Key` nueva; desactive la cabecera o fíjela para repetir una sin repetir su efecto.',
      schema: format,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    variable,
    item: groupByTag(operations).map(({ title, description, operations: inside }) => ({
      name: title,
      description,
      item: inside.flatMap((operation) =>
        operation.examples.map((example) => describeRequest(operation, presentExample(operation, example))),
      ),
    })),
  };
}

function describeRequest(operation: Operation, example: Example): object {
  const { name, method, summary, description, idempotency } = operation;
  const has_body = example.body !== undefined;
  const header = [
    ...(idempotency === 'none' ? [] : [{ key: 'Idempotency-Key', value: '{{$guid}}' }]),
    ...(has_body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
  ];
  const body = {
    mode: 'raw',
    raw: JSON.stringify(example.body, null, 2),
    options: { raw: { language: 'json' } },
  };
  const told = [`\`${name}\``, description ?? summary].join('\n\n');
  return {
    name: operation.examples.length === 1 ? summary.replace(/\.$/, '') : example.title,
    request: {
      method,
      header,
      url: describeUrl(operation, example),
      description: told,
      ...(has_body ? { body } : {}),
    },
  };
}

/** Parameters of the query that the example leaves out are there, switched off. */
function describeUrl({ path, query: fields }: Operation, { params = {}, query = {} }: Example): object {
  const shown = Object.entries(query).map(([key, value]) => ({ key, value }));
  const hidden = Object.keys(fields?.properties ?? {})
    .filter((key) => !(key in query))
    .map((key) => ({ key, value: '', disabled: true }));
  const search = shown.map(({ key, value }) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
  const variable = Object.entries(params).map(([key, value]) => ({ key, value }));
  return {
    raw: `{{base_url}}${path}${search.length === 0 ? '' : `?${search.join('&')}`}`,
    host: ['{{base_url}}'],
    path: path.slice(1).split('/'),
    ...(shown.length + hidden.length === 0 ? {} : { query: [...shown, ...hidden] }),
    ...(variable.length === 0 ? {} : { variable }),
  };
}

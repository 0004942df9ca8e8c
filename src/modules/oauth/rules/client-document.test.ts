import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentLife, isDocumentAddress, readClientDocument } from './client-document.ts';

const address = 'https://app.example.com/client.json';

const addresses: readonly (readonly [string, boolean])[] = [
  [address, true],
  ['https://app.example.com/a/b?v=1', true],
  ['https://app.example.com:8443/client.json', true],
  ['https://app.example.com', false],
  ['https://app.example.com/', false],
  ['http://app.example.com/client.json', false],
  ['https://APP.example.com/client.json', false],
  ['https://app.example.com:443/client.json', false],
  ['https://app.example.com/a/../client.json', false],
  ['https://app.example.com/a/%2e%2e/client.json', false],
  ['https://app.example.com/./client.json', false],
  ['https://app.example.com/client.json#x', false],
  ['https://user@app.example.com/client.json', false],
  ['https://user:p@app.example.com/client.json', false],
  ['https:\\\\app.example.com\\client.json', false],
  [`https://app.example.com/${'a'.repeat(2000)}`, false],
  ['svc_app_0123456789012345678901', false],
];
for (const [text, expected] of addresses)
  test(`${text.slice(0, 60)} ${expected ? 'may be' : 'is no'} address of a document`, () =>
    assert.equal(isDocumentAddress(text), expected));

const good = {
  client_id: address,
  client_name: 'Agente',
  redirect_uris: ['https://app.example.com/cb', 'http://127.0.0.1/cb'],
  token_endpoint_auth_method: 'none',
};
const documents: readonly (readonly [string, object | string, string | undefined])[] = [
  ['all that is needed', good, 'Agente'],
  ['no name', { ...good, client_name: undefined }, 'app.example.com'],
  ['a name that turns the page around', { ...good, client_name: '\u202eAg\nente' }, 'Agente'],
  ['a name of blank signs', { ...good, client_name: '\u3164\u2800\u200b' }, 'app.example.com'],
  ['a name that is no text', { ...good, client_name: { a: 1 } }, 'app.example.com'],
  [
    'a redirect of its own scheme besides',
    { ...good, redirect_uris: ['com.example:/cb', ...good.redirect_uris] },
    'Agente',
  ],
  ['another client_id', { ...good, client_id: `${address}/` }, undefined],
  ['a secret', { ...good, client_secret: 'x' }, undefined],
  ['the end of a secret', { ...good, client_secret_expires_at: 0 }, undefined],
  ['another authentication', { ...good, token_endpoint_auth_method: 'private_key_jwt' }, undefined],
  ['no authentication told', { ...good, token_endpoint_auth_method: undefined }, undefined],
  ['no redirects', { ...good, redirect_uris: undefined }, undefined],
  ['an empty list', { ...good, redirect_uris: [] }, undefined],
  ['no redirect that is allowed', { ...good, redirect_uris: ['javascript:alert(1)', 7] }, undefined],
  ['a list', [good], undefined],
  ['null', 'null', undefined],
  ['no JSON', '{', undefined],
];
for (const [what, document, expected] of documents)
  test(`a document with ${what} ${expected ? 'will do' : 'is none'}`, () => {
    const bytes = Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
    const read = readClientDocument(bytes, address);
    assert.equal(read?.name, expected);
    if (read) assert.deepEqual(read.redirect_uris, good.redirect_uris);
  });

const lives = [
  ['', 300],
  ['max-age=10', 300],
  ['public, max-age=3600', 3600],
  ['MAX-AGE="7200"', 7200],
  ['max-age=999999999', 86_400],
  ['s-maxage=3600', 300],
  ['max-age=3600, no-store', 300],
  ['no-cache', 300],
] as const;
for (const [header, seconds] of lives)
  test(`a document with Cache-Control "${header}" is kept ${seconds} s`, () =>
    assert.equal(documentLife(header), seconds * 1000));

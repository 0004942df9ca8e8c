import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allowsRedirect,
  type ClientType,
  redirectFault,
  redirectSource,
  withParameters,
} from './redirect-uris.ts';

const allowed: readonly (readonly [string, ClientType])[] = [
  ['https://app.example.com/cb', 'confidential'],
  ['https://app.example.com', 'confidential'],
  ['https://app_1.example.com./cb', 'public'],
  ['https://[2001:db8::1]/cb', 'public'],
  ['https://app.example.com:8443/cb?a=1&b=2', 'public'],
  ['http://127.0.0.1/cb', 'public'],
  ['http://127.0.0.1:4711', 'confidential'],
  ['http://[::1]:4711/cb', 'public'],
  ['http://localhost:3000/cb?x=1', 'public'],
  ['com.example.app:/cb', 'public'],
  ['com.example.app://cb', 'public'],
];
for (const [uri, type] of allowed)
  test(`${uri} of a ${type} client is allowed`, () => assert.equal(redirectFault(uri, type), null));

const refused: readonly (readonly [string, ClientType])[] = [
  ['', 'public'],
  ['/cb', 'public'],
  ['app.example.com/cb', 'public'],
  ['https://', 'public'],
  ['https:///cb', 'public'],
  ['https://app.example.com/cb#x', 'public'],
  ['https://app.example.com/#', 'public'],
  ['https://user@app.example.com/cb', 'public'],
  ['https://user:pass@app.example.com/cb', 'public'],
  ['https://@app.example.com/cb', 'public'],
  ['https://*.example.com/cb', 'public'],
  ['https://app.example.com/*', 'public'],
  ['https://app.example.com/c b', 'public'],
  ['https://app.example.com\\cb', 'public'],
  ['https://app.example.com/cb\n', 'public'],
  ['HTTPS://app.example.com/cb', 'public'],
  ['https://app.example.com;sandbox/cb', 'public'],
  ["https://app.example.com,script-src'self'/cb", 'public'],
  ['http://app.example.com/cb', 'public'],
  ['http://127.0.0.1.example.com/cb', 'public'],
  ['http://localhost.example.com/cb', 'public'],
  ['http://127.0.0.2/cb', 'public'],
  ['http://0x7f.1/cb', 'public'],
  ['http://127.0.0.1@example.com/cb', 'public'],
  ['http://127.0.0.1:99999/cb', 'public'],
  ['javascript:alert(1)', 'public'],
  ['data:text/html,x', 'public'],
  ['app:/cb', 'public'],
  ['com.example.app:/cb', 'confidential'],
  ['file:///etc/passwd', 'public'],
  [`https://app.example.com/${'a'.repeat(2000)}`, 'public'],
];
for (const [uri, type] of refused)
  test(`${JSON.stringify(uri.slice(0, 60))} of a ${type} client is refused`, () =>
    assert.notEqual(redirectFault(uri, type), null));

const registered = [
  'https://app.example.com/cb',
  'http://127.0.0.1/cb',
  'http://[::1]:1/cb',
  'com.example.app:/cb',
];
const matches: readonly (readonly [string, boolean])[] = [
  ['https://app.example.com/cb', true],
  ['http://127.0.0.1/cb', true],
  ['http://127.0.0.1:4711/cb', true],
  ['http://[::1]/cb', true],
  ['http://[::1]:65535/cb', true],
  ['com.example.app:/cb', true],
  ['https://app.example.com/CB', false],
  ['https://APP.example.com/cb', false],
  ['https://app.example.com:443/cb', false],
  ['https://app.example.com/cb/', false],
  ['https://app.example.com/cb?x=1', false],
  ['https://app.example.com/cb#x', false],
  ['https://app.example.com.evil.example/cb', false],
  ['http://localhost/cb', false],
  ['http://127.0.0.1:4711/other', false],
  ['http://127.0.0.1:70000/cb', false],
  ['http://127.0.0.1:1@evil.example/cb', false],
  ['com.example.app:/other', false],
];
for (const [uri, expected] of matches)
  test(`${uri} ${expected ? 'is' : 'is not'} one of the registered`, () =>
    assert.equal(allowsRedirect(registered, uri), expected));

test('a form may lead to the origin of the redirect, or else to its scheme', () => {
  assert.equal(redirectSource('https://app.example.com:8443/cb'), 'https://app.example.com:8443');
  assert.equal(redirectSource('http://127.0.0.1:4711/cb'), 'http://127.0.0.1:4711');
  assert.equal(redirectSource('http://[::1]:4711/cb'), 'http:');
  assert.equal(redirectSource('com.example.app:/cb'), 'com.example.app:');
});

test('parameters are added to a query that is there', () => {
  assert.equal(withParameters('https://a.example/cb', { code: 'x y' }), 'https://a.example/cb?code=x+y');
  assert.equal(withParameters('https://a.example/cb?a=1', { code: 'x' }), 'https://a.example/cb?a=1&code=x');
});

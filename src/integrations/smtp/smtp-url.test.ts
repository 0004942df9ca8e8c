import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSmtpUrl, SmtpUrlError } from './smtp-url.ts';

const plain = {
  host: 'mail.example.com',
  port: 587,
  tls: 'offered',
  checks_certificate: true,
  ca_file: null,
  login: null,
  name: null,
  connections: 4,
  timeout_seconds: 300,
};
const login = { user: 'folio@example.com', password: 'p@ss/ñ' };

const good: [string, object][] = [
  ['smtp://mail.example.com', plain],
  ['smtp://mail.example.com:25/', { ...plain, port: 25 }],
  ['smtps://mail.example.com', { ...plain, port: 465, tls: 'first' }],
  ['smtp://folio%40example.com:p%40ss%2F%C3%B1@mail.example.com', { ...plain, tls: 'required', login }],
  ['smtp://folio%40example.com:p%40ss%2F%C3%B1@mail.example.com?tls=none', { ...plain, tls: 'none', login }],
  ['smtp://mail.example.com?ca=/etc/a@b.pem', { ...plain, ca_file: '/etc/a@b.pem' }],
  [
    'smtp://[::1]:2525?certificate=any&ca=%2Fetc%2Fca.pem',
    { ...plain, host: '::1', port: 2525, checks_certificate: false, ca_file: '/etc/ca.pem' },
  ],
  [
    'smtp://mail.example.com?name=folio.example&connections=20&timeout=1&tls=required',
    { ...plain, name: 'folio.example', connections: 20, timeout_seconds: 1, tls: 'required' },
  ],
];

test('addresses of mail servers, with their defaults', () => {
  for (const [text, server] of good) assert.deepEqual(readSmtpUrl(text), server, text);
});

const wrong = [
  '',
  'mail.example.com',
  'http://mail.example.com',
  'smtp://',
  'smtp://mail.example.com/queue',
  'smtp://secret@mail.example.com',
  'smtp://:secret@mail.example.com',
  'smtp://a:secret%@mail.example.com',
  'smtp://a:1#secret@mail.example.com',
  'smtp://a:1/secret@mail.example.com',
  'smtp://a:1?secret@mail.example.com',
  'smtp://a:1?secret=b@mail.example.com',
  'smtp://a:secret@mail.example.com?tls=yes',
  'smtps://a:secret@mail.example.com?tls=none',
  'smtp://a:secret@mail.example.com?certificate=ignore',
  'smtp://a:secret@mail.example.com?connections=0',
  'smtp://a:secret@mail.example.com?connections=21',
  'smtp://a:secret@mail.example.com?timeout=601',
  'smtp://a:secret@mail.example.com?timeout=1e2',
  'smtp://a:secret@mail.example.com?name=a%20b',
  'smtp://a:secret@mail.example.com?name=a%0d%0aMAIL',
  'smtp://a:secret@mail.example.com?pool=true',
];

test('anything else is refused, without a word of the password', () => {
  for (const text of wrong)
    assert.throws(
      () => readSmtpUrl(text),
      (error: Error) => error instanceof SmtpUrlError && !error.message.includes('secret'),
      text,
    );
});

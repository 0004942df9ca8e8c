import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOutOfUse } from '../platform/db.ts';
import { explain } from './explain.ts';

for (const [code, said] of [
  ['CERT_HAS_EXPIRED', 'certificate has expired'],
  ['CERT_NOT_YET_VALID', 'certificate is not yet valid'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate; if the root CA is installed locally, try --x'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate'],
  ['INVALID_PURPOSE', 'unsuitable certificate purpose'],
  ['UNSPECIFIED', 'EE certificate key too weak'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames: Host: db. is not x."],
] as const)
  test(`given a database whose certificate gives ${code}, then it is told in a sentence, and calls are told to come again`, () => {
    const error = Object.assign(new Error(said), { code });
    const told = explain(error) ?? '';
    assert.ok(
      told.startsWith(`The certificate of the database is not accepted (${said.split(';')[0]}`),
      told,
    );
    assert.match(
      told,
      /: renew it there, or name who signed it in NODE_EXTRA_CA_CERTS \(docs\/database\.md\)\.$/,
    );
    assert.ok(isOutOfUse(error));
  });

test('given a database that takes no TLS, then that is told in a sentence', () => {
  const message = 'Client network socket disconnected before secure TLS connection was established';
  assert.equal(
    explain(Object.assign(new Error(message), { code: 'ECONNRESET' })),
    'The database ended the connection in place of encrypting it: check that it takes TLS (ssl = on), as sslmode in DATABASE_URL wants it.',
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersChallenge, isChallenge } from './pkce.ts';

// RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

test('the verifier of the standard answers its challenge, and no other does', () => {
  assert.equal(answersChallenge(verifier, challenge), true);
  assert.equal(answersChallenge(`${verifier.slice(0, -1)}K`, challenge), false);
  assert.equal(answersChallenge(verifier, `${challenge.slice(0, -1)}N`), false);
  assert.equal(answersChallenge(verifier.slice(1), challenge), false);
  assert.equal(answersChallenge('', challenge), false);
  assert.equal(answersChallenge(`${verifier}é`, challenge), false);
});

test('a challenge has 43 characters of base64url', () => {
  assert.equal(isChallenge(challenge), true);
  for (const other of [
    '',
    challenge.slice(1),
    `${challenge}A`,
    `${challenge.slice(1)}+`,
    `${challenge.slice(1)}=`,
  ])
    assert.equal(isChallenge(other), false);
});

/** The official client signing in: where it is sent to, a person consents as a browser would. */
import assert from 'node:assert/strict';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { App } from '../harness.ts';
import { revision } from './mcp-client.ts';
import { openConsent, type Person, sendForm, type TestClient } from './oauth.ts';

/** What an application keeps between its starts. */
export class KeptSignIn implements OAuthClientProvider {
  readonly sent_to: URL[] = [];
  readonly redirectUrl: string;
  readonly clientMetadata;
  readonly #client_id: string;
  #tokens: never | undefined;
  #verifier = '';

  constructor({ client_id, redirect_uri }: TestClient) {
    this.#client_id = client_id;
    this.redirectUrl = redirect_uri;
    this.clientMetadata = { client_name: 'Prueba', redirect_uris: [redirect_uri] };
  }
  clientInformation() {
    return { client_id: this.#client_id };
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: unknown) {
    this.#tokens = tokens as never;
  }
  redirectToAuthorization(url: URL) {
    this.sent_to.push(url);
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
}

export const transportOf = (url: string, authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL(url), { authProvider });

export const newClient = () =>
  new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: revision } } });

/** Grants what the person was asked last, and `also`. */
export async function consent(
  app: App,
  person: Person,
  kept: KeptSignIn,
  transport: StreamableHTTPClientTransport,
  also: readonly string[] = [],
): Promise<void> {
  const { search } = kept.sent_to.at(-1) ?? assert.fail('The client sent nobody to sign in.');
  const { fields } = await openConsent(app, person, search.slice(1));
  const more = also.map((name): [string, string] => ['scope', name]);
  const answer = await sendForm(app, person, [...fields, ...more, ['decision', 'allow']]);
  assert.equal(answer.status, 303, answer.text);
  await transport.finishAuth(new URL(String(answer.headers.location)).searchParams);
}

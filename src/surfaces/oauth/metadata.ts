/**
 * What clients find out before they begin: the server (RFC 8414) and its two resources (RFC 9728). Every address follows from
 * the public one, never from a request.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../../kernel/addresses.ts';
import { scopeNames } from '../../domain/oauth/scopes.ts';

export const audiences = ['v1', 'mcp'] as const;

const serverPath = '/.well-known/oauth-authorization-server';
const resourcePath = '/.well-known/oauth-protected-resource';

export function serverMetadata(issuer: string, docs_url: string) {
  const methods = ['none', 'client_secret_basic', 'client_secret_post'];
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: scopeNames,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${docs_url}/docs`,
    ui_locales_supported: ['es', 'en'],
    protected_resources: audiences.map((audience) => `${issuer}/${audience}`),
  };
}

export function resourceMetadata(issuer: string, docs_url: string, audience: (typeof audiences)[number]) {
  return {
    resource: `${issuer}/${audience}`,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: ['svc.read', 'svc.write'],
    resource_name: audience === 'v1' ? 'Folio API' : 'Folio MCP',
    resource_documentation: `${docs_url}/docs`,
  };
}

/** A browser may read the answer from any page, and sends no cookie with the request. */
export const openToBrowsers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After, Warning',
} as const;

/** Answers what a browser asks before a request from another page (Fetch, 3.2). */
export function answerPreflight(app: FastifyInstance, path: string, methods: string): void {
  app.options(path, (_request, reply) =>
    reply
      .code(204)
      .headers({
        ...openToBrowsers,
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
        'Access-Control-Max-Age': '86400',
      })
      .send(),
  );
}

export function registerMetadata(app: FastifyInstance, { public_url, docs_url }: Addresses): void {
  const send = (reply: FastifyReply, document: object) =>
    reply
      .headers({ ...openToBrowsers, 'Cache-Control': 'public, max-age=3600' })
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify(document));
  const add = (path: string, documentOf: (request: FastifyRequest) => object | undefined) => {
    app.get(path, (request, reply) => {
      const document = documentOf(request);
      return document ? send(reply, document) : reply.callNotFound();
    });
    answerPreflight(app, path, 'GET');
  };
  /** Empty without one. A client puts it behind the well-known part (RFC 8414, 3.1). */
  const publicPath = () => new URL(public_url()).pathname.replace(/\/$/, '');
  const rest = (request: FastifyRequest) => `/${(request.params as { '*': string })['*']}`;

  add(serverPath, () => serverMetadata(public_url(), docs_url()));
  add(`${serverPath}/*`, (request) =>
    rest(request) === publicPath() ? serverMetadata(public_url(), docs_url()) : undefined,
  );
  add(`${resourcePath}/*`, (request) => {
    const asked = rest(request);
    const found = audiences.find((one) => asked === `/${one}` || asked === `${publicPath()}/${one}`);
    return found && resourceMetadata(public_url(), docs_url(), found);
  });
}

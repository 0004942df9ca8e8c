/** The authorization server (ADR 56): pages for people, forms for applications, and what describes it. */
import type { FastifyInstance } from 'fastify';
import type { Addresses } from '../../kernel/addresses.ts';
import { type AuthorizeParts, registerAuthorize } from './authorize-routes.ts';
import { registerMetadata } from './metadata.ts';
import { registerTokenRoutes } from './token-routes.ts';

export function registerOAuth(app: FastifyInstance, parts: AuthorizeParts & Addresses): void {
  registerMetadata(app, parts);
  app.register(async (scope) => registerTokenRoutes(scope, { ...parts, oauth: parts.ports.oauth }));
  app.register(async (scope) => registerAuthorize(scope, parts));
}

/** Addresses where people sign in, and where links that open once lead (ADR 55). Without script; every refusal is a page. */
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../../kernel/ip-ranges.ts';
import type { SharePort } from '../../platform/share-owners.ts';
import { type BodyBounds, bodyBounds, formBodies, readBodiesAsBytes } from '../rest/read-body.ts';
import { problemHeaders, toProblem } from '../rest/respond.ts';
import { type DeskParts, makeDesk } from './desk.ts';
import { stylePath } from './frame.ts';
import { addInvitation, addReset } from './link-routes.ts';
import { addForgotten, addSignUp } from './mail-routes.ts';
import { passkeyPath, passkeyScript } from './passkey-script.ts';
import { addSecondFactor } from './second-factor-routes.ts';
import { addSetup } from './setup-routes.ts';
import { addConfirm, addSignIn } from './sign-in-routes.ts';
import { peopleStyle } from './style.ts';

export type PeoplePagesParts = DeskParts & {
  shares: SharePort;
  body_bounds?: Partial<BodyBounds> | undefined;
};

const styleHeaders = {
  'Content-Type': 'text/css; charset=utf-8',
  // Its name tells its content.
  'Cache-Control': 'public, max-age=31536000, immutable',
};

const scriptHeaders = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
};

const unreadable: ReadonlySet<number> = new Set([400, 408, 413, 415]);

export function registerPeoplePages(app: FastifyInstance, parts: PeoplePagesParts): void {
  const desk = makeDesk(parts);
  app.get(stylePath, (_request, reply) => reply.headers(styleHeaders).send(peopleStyle));
  app.get(passkeyPath, (_request, reply) => reply.headers(scriptHeaders).send(passkeyScript));
  app.register(async (scope) => {
    const bounds = { ...bodyBounds, ...parts.body_bounds };
    // Nobody is known yet, so each place has a share of the forms on their way.
    readBodiesAsBytes(scope, bounds, parts.shares, formBodies, ({ ip }) => networkOf(ip));
    scope.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error);
      const { status } = problem.def;
      if (status === 500) request.log.error({ err: error, request_id: request.id }, 'page for people failed');
      const name = unreadable.has(status) ? 'unreadable' : status === 500 ? 'failed' : 'busy';
      return desk.notice(request, reply.headers(problemHeaders(problem)), status, name);
    });
    for (const add of [
      addSignIn,
      addSecondFactor,
      addForgotten,
      addSignUp,
      addConfirm,
      addSetup,
      addInvitation,
      addReset,
    ])
      add(scope, desk);
  });
}

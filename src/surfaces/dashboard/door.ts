/** Who comes with a request of the dashboard: a person in a session, and for a company, a caller with the scopes of their role there. */
import type { FastifyRequest } from 'fastify';
import type { Caller, Tx } from '../../kernel/operation.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import type { Ports } from '../../kernel/ports.ts';
import { isUuid } from '../../kernel/uuid7.ts';
import { countAuthFailures } from '../../platform/auth-failures.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Guard, Visitor } from '../people/guard.ts';
import { placeOf } from '../people/desk.ts';
import { dashboardErrors as e } from './dashboard.errors.ts';

export type Signed = Visitor & { session: NonNullable<Visitor['session']>; token: string };

export type DoorParts = {
  guard: Guard;
  people: Pick<Ports['people'], 'callerIn' | 'lostBy'>;
  clock: Clock;
  /** Of a person whose request is refused before it is admitted. @throws 429 rate_limit_exceeded */
  spend(user_id: string, rate_class: 'read' | 'write'): Promise<unknown>;
};

export type Door = ReturnType<typeof makeDoor>;

const safe = new Set(['GET', 'HEAD']);

export function makeDoor({ guard, people, clock, spend }: DoorParts) {
  // A sender who tries cookies has to wait, like one who tries keys.
  const failures = countAuthFailures();

  /**
   * Called only for a cookie that opens nothing: a session passes whatever its neighbours do.
   * @throws 429 too_many_auth_failures
   */
  function countMiss(ip: string): void {
    const now = clock.now();
    const seconds = failures.blockedFor(ip, now);
    if (seconds > 0)
      throw fail(c.too_many_auth_failures, { retry_after_seconds: seconds, values: { seconds } });
    failures.failed(ip, now);
  }

  /**
   * Before the body is read.
   * @throws 401 session_required, 403 foreign_request, 429 too_many_auth_failures
   */
  async function personOf(request: FastifyRequest): Promise<Signed> {
    const visitor = await guard.sessionVisitor(request);
    if (!visitor?.session || visitor.token === undefined) {
      if (guard.hasSessionCookie(request)) countMiss(request.ip);
      throw fail(e.session_required);
    }
    if (!safe.has(request.method)) {
      const header = request.headers['x-folio-csrf'];
      const field = typeof header === 'string' ? header : undefined;
      if (!guard.isOurs(request, visitor, field)) {
        await spend(visitor.session.user_id, 'read');
        throw fail(e.foreign_request);
      }
    }
    return visitor as Signed;
  }

  return {
    personOf,

    /**
     * A company that does not exist and one where the person has no role are alike.
     * @throws as `personOf`, and 404 resource_not_found
     */
    async callerOf(request: FastifyRequest): Promise<Caller> {
      request.signed = await personOf(request);
      const { session } = request.signed;
      const { in_company } = request.params as { in_company?: string };
      const { user_id, name } = session;
      const person = { user_id, name, ...placeOf(request) };
      const caller = in_company && isUuid(in_company) ? await people.callerIn(person, in_company) : undefined;
      if (!caller) {
        await spend(user_id, 'read');
        throw fail(c.resource_not_found, { param: 'company' });
      }
      return caller;
    },

    /** @throws 401 session_required, 404 resource_not_found, 409 resource_locked for another role: it may be tried again */
    async refuseLost(request: FastifyRequest, caller: Caller, tx: Tx, company_id: string): Promise<void> {
      const lost = await people.lostBy(tx, company_id, { caller, session_id: request.signed!.session.id });
      if (lost === 'session') throw fail(e.session_required);
      if (lost === 'member') throw fail(c.resource_not_found, { param: 'company' });
      if (lost === 'role') throw fail(c.resource_locked);
    },
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    signed?: Signed;
  }
}

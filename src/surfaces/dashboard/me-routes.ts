/** A person's changes of their own account. Nothing of anybody else can be reached from here. */
import { canBeRead } from '../../kernel/readable-name.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkSchema, findUnstorableText } from '../../kernel/check.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ports } from '../../kernel/ports.ts';
import { usualKeyLength } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { invalidParam } from '../../kernel/resource-input.ts';
import { Enum, Name, Shape, type Static, Text, type TSchema, Type } from '../../kernel/schema.ts';
import { isUuid } from '../../kernel/uuid7.ts';
import { checkKey } from '../../platform/check-call.ts';
import type { Guard } from '../people/guard.ts';
import { qrSvg } from '../public/qr-svg.ts';
import { idempotencyKeyOf, readJson } from '../rest/request.ts';
import { replayedHeaders } from '../rest/respond.ts';
import { dashboardErrors as e } from './dashboard.errors.ts';
import type { Door, Signed } from './door.ts';

export type MeParts = {
  people: Ports['people'];
  oauth: Pick<Ports['oauth'], 'listOwnGrants' | 'endOwnGrants'>;
  guard: Guard;
  door: Door;
  /** @throws 429 rate_limit_exceeded */
  spend(user_id: string, rate_class: 'read' | 'write'): Promise<unknown>;
};

type Handler = (signed: Signed, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

const Profile = Shape({
  name: Type.Optional(Name(120, { minLength: 1 })),
  language: Type.Optional(Enum(['es', 'en'] as const)),
});
const NewPassword = Shape({ password: Text(1024, { minLength: 1 }) });
const NewCompany = Shape({
  name: Name(250, { minLength: 1 }),
  tax_id: Text(20, { minLength: 1 }),
  allow_duplicate: Type.Optional(Type.Boolean()),
});
const Code = Shape({ code: Text(32, { minLength: 1 }) });
const PasskeyName = Shape({ name: Name(60, { minLength: 1 }) });
const NewPasskey = Shape({
  name: Name(60, { minLength: 1 }),
  response: Type.Object({}, { additionalProperties: true }),
});

export function addMe(app: FastifyInstance, { people, oauth, guard, door, spend }: MeParts): void {
  function route(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, handler: Handler): void {
    app.route({
      method,
      url: `/dashboard/api${path}`,
      // Before the body is read.
      onRequest: async (request, reply) => {
        reply.header('Cache-Control', 'no-store');
        request.signed = await door.personOf(request);
        const { user_id } = request.signed.session;
        request.state.user_id = user_id;
        await spend(user_id, method === 'GET' ? 'read' : 'write');
      },
      handler: async (request, reply) => {
        // A body may take half a minute, and who had a stolen session must not add a passkey after it has ended.
        const signed = method === 'GET' ? request.signed! : await door.personOf(request);
        return reply.send({ data: await handler(signed, request, reply) });
      },
    });
  }

  /** For what changes how somebody signs in. */
  const proved =
    (handler: Handler): Handler =>
    async (signed, request, reply) => {
      if (!people.isProved(signed.session)) throw fail(e.proof_required);
      return handler(signed, request, reply);
    };

  const person = async ({ session }: Signed) => ({
    id: session.user_id,
    name: session.name,
    email: await people.emailOf(session.user_id),
  });
  const idOf = (request: FastifyRequest) => {
    const { id } = request.params as { id: string };
    if (!isUuid(id)) throw fail(c.resource_not_found);
    return id;
  };
  const found = (is_there: boolean) => {
    if (!is_there) throw fail(c.resource_not_found);
    return { deleted: true as const };
  };
  const tools: Tools = { route, proved, person, idOf, found };

  route('GET', '/me', async (signed) => ({ ...(await person(signed)), language: signed.session.language }));
  route('PUT', '/me', async ({ session }, request) => {
    const changed = bodyOf(Profile, request);
    if (changed.name !== undefined && !canBeRead(changed.name))
      throw invalidParam('name', 'Escriba un nombre que se pueda leer.');
    await people.changeProfile(changing(session), changed);
    return { changed: true };
  });
  route(
    'POST',
    '/me/password',
    proved(async (signed, request, reply) => {
      const { password } = bodyOf(NewPassword, request);
      const outcome = await people.changePassword(signed.session, signed.token, password);
      if (typeof outcome === 'string') throw passwordRefusal(outcome);
      guard.keepSession(reply, outcome.token);
      return { changed: true };
    }),
  );

  route('POST', '/companies', async ({ session }, request, reply) => {
    const idempotency_key = idempotencyKeyOf(request);
    if (idempotency_key !== null) checkKey(idempotency_key, usualKeyLength);
    const { name, tax_id, allow_duplicate = false } = bodyOf(NewCompany, request);
    const company = people.prepareCompany({ name, tax_id });
    if (Array.isArray(company)) throw invalidParam(company[0] === 'tax_id' ? 'tax_id' : 'name', companyText);
    const { ip, id: request_id } = request;
    const founder = { ...changing(session), name: session.name, ip, request_id };
    const founded = await people.foundCompany(company, founder, { allow_duplicate, idempotency_key });
    // Of companies of others nobody is told.
    if (founded === 'duplicate') throw fail(e.tax_id_has_company, { param: 'tax_id' });
    if (founded === 'too_many') throw fail(e.companies_limit_reached);
    const { company_id: id, live_key, test_key } = founded.made;
    if (founded.is_replay) reply.headers(replayedHeaders);
    return { id, live_key, test_key };
  });

  route('GET', '/me/sessions', ({ session }) => people.listSessions(session.user_id, session.id));
  route('DELETE', '/me/sessions/:id', async ({ session }, request) =>
    found(await people.endSessionById(changing(session), idOf(request))),
  );
  route('POST', '/me/sessions/end-others', async ({ session }) => ({
    ended: await people.endOtherSessions(changing(session)),
  }));

  addGrants({ ...tools, oauth });
  addFactors({ ...tools, people });
}

/** What applications may do for the person, in all their companies. */
function addGrants({ route, oauth }: Tools & Pick<MeParts, 'oauth'>): void {
  route('GET', '/me/grants', ({ session }) =>
    oauth.listOwnGrants({ id: session.user_id, name: session.name }),
  );
  route('POST', '/me/grants/end-all', async ({ session }, { ip, id: request_id }) => {
    const { user_id, session_id, gone } = changing(session);
    const user = { id: user_id, name: session.name };
    return { ended: await oauth.endOwnGrants({ user, session_id, gone }, { ip, request_id }) };
  });
}

type Tools = {
  route(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, handler: Handler): void;
  proved(handler: Handler): Handler;
  person(signed: Signed): Promise<{ id: string; name: string; email: string }>;
  idOf(request: FastifyRequest): string;
  found(is_there: boolean): { deleted: true };
};

function addFactors({
  route,
  proved,
  person,
  idOf,
  found,
  people,
}: Tools & { people: Ports['people'] }): void {
  const { factors } = people;
  const page = ({ bound_to }: Signed, request: FastifyRequest) => ({ bound_to, host: request.headers.host });

  route('GET', '/me/factors', async ({ session }) => factors.view(session.user_id));
  route(
    'POST',
    '/me/totp',
    proved(async (signed) => {
      const { secret, address } = await factors.beginTotp(await person(signed));
      return { secret, address, qr_svg: qrSvg(address, 'QR').text };
    }),
  );
  route(
    'POST',
    '/me/totp/confirm',
    proved(async ({ session }, request) => {
      const { code } = bodyOf(Code, request);
      await people.spendCodeTry(session.user_id);
      const outcome = await factors.confirmTotp(changing(session), code);
      if (outcome === 'wrong') throw invalidParam('code', 'El código no es correcto o ya se usó.');
      return outcome;
    }),
  );
  route(
    'DELETE',
    '/me/totp',
    proved(async ({ session }) => found(await factors.removeTotp(changing(session)))),
  );
  route(
    'POST',
    '/me/recovery-codes',
    proved(async ({ session }) => {
      if (!(await factors.hasAny(session.user_id))) throw fail(c.resource_not_found);
      return { recovery_codes: await factors.renewRecoveryCodes(changing(session)) };
    }),
  );
  route(
    'POST',
    '/me/passkeys/options',
    proved(async (signed, request) => {
      if (!people.passkeys.isOffered(page(signed, request))) throw fail(c.resource_not_found);
      return people.passkeys.creationOptions(await person(signed), page(signed, request));
    }),
  );
  route(
    'POST',
    '/me/passkeys',
    proved(async (signed, request) => {
      const { name, response } = bodyOf(NewPasskey, request);
      const added = { of: changing(signed.session), name, response: response as never };
      const outcome = await factors.addPasskey(added, page(signed, request));
      if (typeof outcome === 'string')
        throw invalidParam(
          'response',
          'El navegador no ha mostrado una llave de acceso nueva para esta página.',
        );
      return outcome;
    }),
  );
  route('PUT', '/me/passkeys/:id', async ({ session }, request) => {
    const { name } = bodyOf(PasskeyName, request);
    found(await factors.renamePasskey(session.user_id, idOf(request), name));
    return { changed: true };
  });
  route(
    'DELETE',
    '/me/passkeys/:id',
    proved(async ({ session }, request) =>
      found(await factors.removePasskey(changing(session), idOf(request))),
    ),
  );
}

/** It may end while the change waits for another one of the account. */
const changing = ({ id, user_id }: Signed['session']) => ({
  user_id,
  session_id: id,
  gone: () => fail(e.session_required),
});

/** @throws 422 parameter_invalid, 400 parameter_invalid_format */
function bodyOf<S extends TSchema>(schema: S, request: FastifyRequest): Static<S> {
  request.state.bodyIsRead?.();
  const body = readJson(request.body as Buffer | undefined) ?? {};
  const issues = checkSchema(schema, body);
  if (issues.length > 0)
    throw fail(c.parameter_invalid, { param: issues[0]!.param || 'body', errors: issues });
  if (findUnstorableText(body) !== undefined) throw fail(c.parameter_invalid, { param: 'body' });
  return body as Static<S>;
}

const companyText = 'Escriba un nombre de 1 a 250 caracteres y un NIF español válido.';

const passwordTexts = {
  too_short: 'La contraseña debe tener 12 caracteres o más.',
  too_long: 'La contraseña debe tener 256 caracteres como máximo.',
  repeated: 'La contraseña no puede ser un solo carácter repetido.',
  known: 'La contraseña no puede ser su dirección, su nombre ni el de la empresa.',
} as const;

const passwordRefusal = (fault: keyof typeof passwordTexts | 'gone') =>
  fault === 'gone' ? fail(e.session_required) : invalidParam('password', passwordTexts[fault]);

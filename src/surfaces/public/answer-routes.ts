/**
 * The answers to an offer on its page (ADR 45): forms by POST, so that whoever only follows addresses accepts nothing. A form comes
 * from the page itself, and a document takes ten in a minute; both are asked before a body is read. A refusal is a page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Operation } from '../../kernel/operation.ts';
import { latestVersion } from '../../kernel/versions.ts';
import type { Call } from '../../platform/call.ts';
import type { Clock } from '../../platform/clock.ts';
import { linkCaller } from '../../platform/link-caller.ts';
import type { SharePort } from '../../platform/share-owners.ts';
import { inTurns } from '../../platform/give-way.ts';
import { countInWindow } from '../../platform/window-count.ts';
import type { Ports } from '../../kernel/ports.ts';
import { type BodyBounds, bodyBounds, formBodies, readBodiesAsBytes } from '../rest/read-body.ts';
import { type AnswerForm, faultsOf, readAcceptance, readRejection } from './answer-form.ts';
import type { Answering, AnswerRefusal } from './answer-page.ts';
import { documentPage } from './document-page.ts';
import type { Page } from './frame.ts';
import { askedLanguage, languageQuery } from './languages.ts';
import type { DocumentRef, Found, InTurnOf, TokenRequest } from './public-pages.ts';
import { sendMissing, sendNotice, type SendShown, sendTooMany } from './send.ts';

export type AnswerParts = {
  clock: Clock;
  ports: Pick<Ports, 'links' | 'answers'>;
  /** The address of its pages, where no proxy changes the name of the host. */
  public_url(): string;
  shares: SharePort;
  body_bounds?: Partial<BodyBounds> | undefined;
  /** @throws Problem for a refusal */
  run(call: Call): Promise<unknown>;
};

type Around = {
  config: { address_is_secret: boolean };
  sendShown: SendShown;
  /** Of an invented address. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply;
  /** For what is read and drawn, not for what an answer does. */
  inTurnOf: InTurnOf;
  /** @returns undefined after the answer was sent */
  open(request: FastifyRequest, reply: FastifyReply, ref: DocumentRef): Promise<Found | undefined>;
};

/** Of one document in a minute, taken or not. */
const answersMax = 10;

/** The longest texts that the fields take, escaped. */
const formMax = 16_384;

const moves = ['accept', 'reject'] as const;
type Move = (typeof moves)[number];

/** @param scope a plugin of its own: it reads forms and no JSON */
export function registerAnswers(scope: FastifyInstance, parts: AnswerParts, around: Around): void {
  const { clock, ports, shares } = parts;
  const { config, refuse, inTurnOf } = around;
  const sent = countInWindow(answersMax);
  const refs = new WeakMap<FastifyRequest, DocumentRef>();
  const bounds = { ...bodyBounds, ...parts.body_bounds };
  readBodiesAsBytes(scope, bounds, shares, formBodies, (request) => refs.get(request)?.company_id);

  /** Before the body. */
  async function admit(request: TokenRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const ref = ports.links.readPublic(request.params.token);
    if (!ref) return refuse(request, reply);
    if (!ports.answers[ref.kind]) return sendMissing(request, reply);
    if (!isFromHere(request, parts.public_url())) return sendNotice(request, reply, 403, 'foreign');
    const [name, now] = [`${ref.company_id} ${ref.id}`, clock.now()];
    const seconds = sent.blockedFor(name, now);
    if (seconds > 0) return sendTooMany(request, reply, seconds);
    sent.add(name, now);
    refs.set(request, ref);
    return undefined;
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, move: Move): Promise<FastifyReply> {
    const ref = refs.get(request);
    const operation = ref && ports.answers[ref.kind]?.[move];
    if (!operation) return sendMissing(request, reply);
    const open = () => inTurnOf(ref.company_id, () => around.open(request, reply, ref));
    const found = await open();
    if (!found) return reply;
    const form = formOf(request, operation, move);
    const early = found.answering && refusalOf(found.answering, form, move);
    const refusal =
      early ?? (found.answering && (await take(request, ref, operation, found.answering, form)));
    const sendBack = () =>
      reply
        .code(303)
        .header('Location', `../${tokenOf(request)}${languageQuery(askedLanguage(request))}`)
        .send();
    if (refusal === undefined) return sendBack();
    // What the page found before may have changed since.
    const now = typeof refusal === 'string' ? await open() : found;
    if (!now) return reply;
    if (refusal === 'closed' && isTaken(now.answering, form, move)) return sendBack();
    const { status, text, headers } = await inTurnOf(ref.company_id, () =>
      refusalPage(request, now, refusal, form),
    );
    return around.sendShown(request, reply, ref, { status, headers, shown: text });
  }

  /** @returns why it was not taken */
  async function take(
    request: FastifyRequest,
    { kind, id }: DocumentRef,
    operation: Operation,
    { company }: Answering,
    { body }: AnswerForm,
  ): Promise<AnswerRefusal | undefined> {
    try {
      await parts.run({
        operation,
        caller: linkCaller(company, id),
        input: { params: { [kind]: id }, query: {}, body },
        idempotency_key: null,
        version: latestVersion,
        request_id: request.id,
      });
      return undefined;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.def === c.version_conflict) return 'changed';
      if (error.def === c.invalid_status_transition) return 'closed';
      const faults = faultsOf(error);
      if (error.def === c.parameter_invalid && faults.length > 0) return faults;
      throw error;
    }
  }

  for (const move of moves) {
    const path = `/i/:token/${move}`;
    scope.post(
      path,
      { config, bodyLimit: formMax, onRequest: (request, reply) => admit(request as TokenRequest, reply) },
      (request, reply) => answer(request, reply, move),
    );
    // For somebody who opens the address of a refused form again.
    scope.get(path, { config }, async (request: TokenRequest, reply) =>
      ports.links.readPublic(request.params.token)
        ? reply
            .code(303)
            .header('Location', `../${request.params.token}${languageQuery(askedLanguage(request))}`)
            .send()
        : refuse(request, reply),
    );
  }
}

const tokenOf = (request: FastifyRequest) => (request as TokenRequest).params.token;

function formOf(request: FastifyRequest, operation: Operation, move: Move): AnswerForm {
  const bytes = request.body as Buffer | undefined;
  if (move === 'reject') return readRejection(operation, bytes);
  const user_agent = request.headers['user-agent']?.slice(0, 500) ?? null;
  return readAcceptance(operation, bytes, { ip: request.ip, user_agent });
}

/** Before anything is written. The move asks again, with the document's row locked. */
function refusalOf({ is_open, version }: Answering, form: AnswerForm, move: Move): AnswerRefusal | undefined {
  if (!is_open) return 'closed';
  if (move === 'accept' && form.version !== version) return 'changed';
  return form.faults.length > 0 ? form.faults : undefined;
}

/** Whether the answer was taken already: the button was pressed twice, or the page was loaded again. */
function isTaken(
  answering: Answering | undefined,
  { typed, version, body }: AnswerForm,
  move: Move,
): boolean {
  const taken = answering?.taken;
  if (taken?.move !== move) return false;
  return taken.move === 'accept'
    ? taken.name === typed.name && taken.version === version
    : taken.reason === body.reason;
}

async function refusalPage(
  request: FastifyRequest,
  { printable, answering }: Found,
  refusal: AnswerRefusal,
  { typed }: AnswerForm,
): Promise<Page & { status: number }> {
  const status = typeof refusal === 'string' ? 409 : 422;
  const part = answering && { answering, refusal, typed };
  const place = { base: '', page: `../${tokenOf(request)}`, asked: askedLanguage(request) };
  return { status, ...(await inTurns(documentPage(printable, place, part))) };
}

/** Browsers tell the origin of every form. A form with no origin, or another, is not from this page. */
function isFromHere({ headers, host }: FastifyRequest, public_url: string): boolean {
  const { origin } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  return (
    from.origin === new URL(public_url).origin || (from.protocol.startsWith('http') && from.host === host)
  );
}

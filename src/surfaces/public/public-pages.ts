/**
 * What opens without a key (ADR 20): a document's page (`/i/{token}`) and PDF (`/i/{token}/pdf`), and a PDF for a
 * limited time (`/pdf/{token}`). The token is checked first, so an invented one costs no query. Every address that
 * opens nothing gets the same page. An offer is answered there (`answer-routes.ts`).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasDayLinkEnded, hasPageEnded } from '../../domain/printing/link-life.ts';
import type { PrintedFormat, PrintedLanguage } from '../../domain/printing/printed-document.ts';
import type { FileFacts } from '../../kernel/operation.ts';
import type { Ports } from '../../kernel/ports.ts';
import { countAuthFailures } from '../../platform/auth-failures.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db.ts';
import { FairTurns, turnRefusal } from '../../platform/fair-turns.ts';
import { holdsTag } from '../shared/entity-tags.ts';
import { inTurns } from '../../platform/give-way.ts';
import { countInWindow } from '../../platform/window-count.ts';
import type { HeldAnswers, Visited } from '../rest/held-answers.ts';
import { problemHeaders, toProblem } from '../rest/respond.ts';
import { fileHeaders } from '../shared/file-headers.ts';
import { documentPage } from './document-page.ts';
import { type AnswerParts, registerAnswers } from './answer-routes.ts';
import type { Answering } from './answer-page.ts';
import { privateHeaders } from './frame.ts';
import { askedLanguage } from './languages.ts';
import { noticePage } from './notice-page.ts';
import { makeSendShown, type SendShown, sendMissing, sendNotice, sendPage, sendTooMany } from './send.ts';

export type DocumentRef = NonNullable<ReturnType<Ports['links']['readPublic']>>;
type Source = Ports['documents'][DocumentRef['kind']];
type Printable = NonNullable<Awaited<ReturnType<Source['find']>>>;

export type Found = { printable: Printable; answering: Answering | undefined };

type OpenedPdf = {
  printable: Printable;
  file_name: string;
  tag: string;
  /** A PDF that is not final is sent without the tag. */
  pdf(): Promise<{ bytes: Buffer; is_final: boolean }>;
};

export type PublicParts = AnswerParts & {
  held: HeldAnswers;
  db: Database;
  clock: Clock;
  ports: Pick<Ports, 'links' | 'documents' | 'answers' | 'mailer'>;
  /** Its transaction ends before the PDF is printed (modules/pdfs). */
  openPdf(
    document: Pick<DocumentRef, 'company_id' | 'kind' | 'id'>,
    format: PrintedFormat,
  ): Promise<OpenedPdf | undefined>;
};

export type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/** The address opens the document, so the log holds the route instead. */
const config = { address_is_secret: true };

/** Refusals of a form that was not read. */
const unreadable: ReadonlySet<number> = new Set([400, 408, 413, 415]);

/** Openings of one document in a minute. A page of 500 lines costs as much as many calls with a key. */
const openedMax = 60;

/**
 * What is read and drawn at a time, of all companies and of one. Each document has openings of its own, and a company may have thousands:
 * their pages would stand in the line of those that give way before every answer of another company.
 */
const pageTurns = {
  at_once: 64,
  at_once_of_company: 2,
  waiting_max: 1000,
  weight_max: 1000,
  wait_ms: 10_000,
};

/** @throws 429 or 503 where there is no turn */
export type InTurnOf = <T>(company_id: string, work: () => Promise<T>) => Promise<T>;

const retrySeconds = 5;

function turnsOf({ shares }: Pick<PublicParts, 'shares'>): InTurnOf {
  const turns = new FairTurns(pageTurns);
  return async (company_id, work) => {
    try {
      return await turns.take(shares.ownerOf(company_id), 1, work);
    } catch (error) {
      throw turnRefusal(error, retrySeconds);
    }
  };
}

/** @returns the seconds until a document may be opened again; 0 where it may be, and then the opening counts */
function countOpenings(clock: Clock) {
  const openings = countInWindow(openedMax);
  return ({ company_id, id }: Pick<DocumentRef, 'company_id' | 'id'>): number => {
    const [name, now] = [`${company_id} ${id}`, clock.now()];
    const seconds = openings.blockedFor(name, now);
    if (seconds === 0) openings.add(name, now);
    return seconds;
  };
}

function sendFault(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error);
  const { def } = problem;
  if (def.status >= 500) request.log.error({ err: error }, 'public page failed');
  const notice = unreadable.has(def.status) ? 'unreadable' : 'unavailable';
  return sendNotice(request, reply.headers(problemHeaders(problem)), def.status, notice);
}

export function registerPublicPages(app: FastifyInstance, parts: PublicParts): void {
  const { clock, ports, held, openPdf } = parts;
  const sendShown = makeSendShown(held);
  const sendPdf = makeSendPdf(sendShown);
  // A separate count: whoever tries addresses must wait, but may still use a key.
  const failures = countAuthFailures();
  const waitFor = countOpenings(clock);

  function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const now = clock.now();
    const seconds = failures.blockedFor(request.ip, now);
    if (seconds > 0) return sendTooMany(request, reply, seconds);
    failures.failed(request.ip, now);
    return sendMissing(request, reply);
  }

  const findIn = findingIn(parts);
  const openKnown = openingKnown(parts);
  const inTurnOf = turnsOf(parts);

  /** @returns undefined after the answer was sent */
  function countedRef(request: TokenRequest, reply: FastifyReply): DocumentRef | undefined {
    const ref = ports.links.readPublic(request.params.token);
    const seconds = ref ? waitFor(ref) : 0;
    if (seconds > 0) sendTooMany(request, reply, seconds);
    else if (!ref) refuse(request, reply);
    return seconds > 0 ? undefined : ref;
  }

  app.register(async (scope) => {
    scope.setErrorHandler(sendFault);

    scope.get('/i/:token', { config }, async (request: TokenRequest, reply) => {
      const ref = countedRef(request, reply);
      if (!ref) return reply;
      const asked = askedLanguage(request);
      const page = await inTurnOf(ref.company_id, async () => {
        const found = await openKnown(request, reply, ref, findIn(asked), ({ printable }) => printable);
        if (!found) return undefined;
        const { printable, answering } = found;
        // Relative, since a proxy may serve it under another path.
        const place = { base: `${request.params.token}/`, page: request.params.token, asked };
        return inTurns(documentPage(printable, place, answering && { answering }));
      });
      if (!page) return reply;
      return sendShown(request, reply, ref, { headers: page.headers, shown: page.text });
    });
    registerAnswers(scope, parts, {
      config,
      sendShown,
      refuse,
      inTurnOf,
      open: (request, reply, ref) =>
        openKnown(request, reply, ref, findIn(askedLanguage(request)), ({ printable }) => printable),
    });
    scope.get('/i/:token/pdf', { config }, async (request: TokenRequest, reply) => {
      const ref = countedRef(request, reply);
      if (!ref) return reply;
      const opened = await inTurnOf(ref.company_id, () =>
        openKnown(
          request,
          reply,
          ref,
          (of) => openPdf(of, 'a4'),
          ({ printable }) => printable,
        ),
      );
      return opened ? sendPdf(request, reply, ref, opened, { is_attachment: true }) : reply;
    });
    scope.get('/pdf/:token', { config }, async (request: TokenRequest, reply) => {
      const link = ports.links.readPdf(request.params.token, clock.now());
      if (!link) return refuse(request, reply);
      if (link.has_expired) return sendNotice(request, reply, 410, 'ended');
      const { company_id } = link.document;
      const seconds = waitFor(link.document);
      if (seconds > 0) return sendTooMany(request, reply, seconds);
      held.refuseWithoutShare(request, link.document);
      const found = await inTurnOf(company_id, () => openPdf(link.document, link.format));
      if (found && hasDayLinkEnded(found.printable.link, link.made_at))
        return sendNotice(request, reply, 410, 'ended');
      return found
        ? sendPdf(request, reply, link.document, found, { is_attachment: false })
        : sendMissing(request, reply);
    });
    for (const path of ['/i', '/i/*', '/pdf', '/pdf/*']) scope.get(path, { config }, refuse);
  });
}

/** Of a true address. */
const openingKnown =
  ({ clock, held }: Pick<PublicParts, 'clock' | 'held'>) =>
  async <Opened>(
    request: FastifyRequest,
    reply: FastifyReply,
    ref: DocumentRef,
    look: (ref: DocumentRef) => Promise<Opened | undefined>,
    printableOf: (opened: Opened) => Printable,
  ): Promise<Opened | undefined> => {
    held.refuseWithoutShare(request, ref);
    const opened = await look(ref);
    // Before it is drawn or printed.
    held.refuseWithoutShare(request, ref);
    if (!opened) {
      sendMissing(request, reply);
      return undefined;
    }
    const { is_draft, is_withdrawn, document, link } = printableOf(opened);
    const has_ended = hasPageEnded(link, ref.renewed_at, clock.now());
    if (!is_draft && !is_withdrawn && !has_ended) return opened;
    if (is_draft) sendMissing(request, reply);
    else if (has_ended) sendNotice(request, reply, 410, 'ended');
    else sendPage(reply, 410, noticePage('withdrawn', document.language));
    return undefined;
  };

/** The document and how its page answers, in one transaction. */
const findingIn =
  ({ db, clock, ports }: Pick<PublicParts, 'db' | 'clock' | 'ports'>) =>
  (language: PrintedLanguage | undefined) =>
  (ref: DocumentRef) => {
    const { company_id, kind, id } = ref;
    return db.read(company_id, async (tx): Promise<Found | undefined> => {
      // The version is read first: if newer content is shown, the visitor is told so when he answers.
      const at = { tx, real_now: clock.now(), ports };
      const answering = await ports.answers[kind]?.find(at, company_id, id);
      const wish = { today: answering?.today, language };
      const printable = await ports.documents[kind].find(tx, company_id, id, wish);
      return printable && { printable, answering };
    });
  };

/** Answers an unreadable address of a page. @returns undefined for any other address */
export function answerUnreadable(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  return /^\/(i|pdf)\//.test(request.url) ? sendMissing(request, reply) : undefined;
}

type SendPdf = (
  request: FastifyRequest,
  reply: FastifyReply,
  ref: Visited,
  opened: OpenedPdf,
  file: Pick<FileFacts, 'is_attachment'>,
) => Promise<FastifyReply>;

const makeSendPdf =
  (sendShown: SendShown): SendPdf =>
  async (request, reply, ref, { file_name: name, tag, pdf }, { is_attachment }) => {
    const headersOf = (final_tag?: string) => ({
      ...privateHeaders,
      ...fileHeaders({ name, is_attachment }, final_tag),
    });
    if (holdsTag(request.headers['if-none-match'], tag))
      return reply.code(304).headers(headersOf(tag)).send();
    // The headers wait for the PDF: if it fails, a page is sent instead.
    const { bytes: shown, is_final } = await pdf();
    const headers = { ...headersOf(is_final ? tag : undefined), 'Content-Type': 'application/pdf' };
    return sendShown(request, reply, ref, { headers, shown });
  };

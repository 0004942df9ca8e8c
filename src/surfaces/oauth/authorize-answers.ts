import type { FastifyReply, FastifyRequest } from 'fastify';
import { withParameters } from '../../domain/oauth/redirect-uris.ts';
import { languageOf, type PageLanguage, pageHeaders } from '../people/frame.ts';
import type { ReturnAddress } from './authorize-request.ts';
import { noticePage } from './consent-page.ts';
import type { NoticeName } from './consent-words.ts';

export type AuthorizeAnswers = ReturnType<typeof makeAuthorizeAnswers>;

/** @param base the path of the public address */
export function makeAuthorizeAnswers({ public_url, base }: { public_url: () => string; base: () => string }) {
  return {
    /** A page, and no redirect. */
    notice(
      request: FastifyRequest,
      reply: FastifyReply,
      status: number,
      name: NoticeName,
      chosen?: PageLanguage,
    ): FastifyReply {
      const language = languageOf(chosen, request.headers['accept-language']);
      const page = noticePage(name, language, base());
      return reply.code(status).headers(page.headers).send(page.text);
    },

    /** RFC 6749, 4.1.2, and RFC 9207: the answer says who gave it. */
    sendBack(
      reply: FastifyReply,
      { redirect_uri, state }: ReturnAddress,
      answer: Readonly<Record<string, string>>,
    ): FastifyReply {
      const told = { ...answer, ...(state === null ? {} : { state }), iss: public_url() };
      return reply
        .code(303)
        .headers({ ...pageHeaders, Location: withParameters(redirect_uri, told) })
        .send();
    },

    /** To a page of ours that leads back to this request. */
    goTo(reply: FastifyReply, page: '/sign-in' | '/confirm', query: string): FastifyReply {
      const parameters = new URLSearchParams({ return_to: `${base()}/oauth/authorize?${query}` });
      return reply
        .code(303)
        .headers({ ...pageHeaders, Location: `${base()}${page}?${parameters}` })
        .send();
    },
  };
}

/**
 * Serves documents for programs (/openapi.json, event schemas) and pages for people (/docs). They need no key and no
 * script, and load nothing from elsewhere.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Operation } from '../../kernel/operation.ts';
import { makeOpenApi } from './document.ts';
import { errorListPage, errorPage, missingPage } from './error-pages.ts';
import { makeEventSchemas } from './event-schemas.ts';
import { readExampleAnswers } from './examples.ts';
import { overviewPage } from './overview-page.ts';
import { printJson } from './print-json.ts';
import { receiversPage } from './receivers-page.ts';
import { tagPage } from './reference-page.ts';
import { style } from './style.ts';
import { groupByTag } from './tags.ts';

export type PagesOptions = { operations: readonly Operation[]; public_url: () => string };

const policy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Makes each text at its first request: only then is the public address known. */
export function registerPages(app: FastifyInstance, { operations, public_url }: PagesOptions): void {
  const answers = readExampleAnswers();
  const groups = groupByTag(operations);
  const kept = new Map<string, { text: string; tag: string }>();
  const keep = (name: string, make: () => string) => {
    const key = `${name} ${public_url()}`;
    let made = kept.get(key);
    if (!made) {
      const text = make();
      made = { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
      kept.set(key, made);
    }
    return made;
  };

  const send = (reply: FastifyReply, type: string, made: { text: string; tag: string }): FastifyReply => {
    reply.header('Cache-Control', 'public, max-age=60').header('ETag', made.tag);
    if (reply.request.headers['if-none-match'] === made.tag) return reply.code(304).send();
    return reply.header('Content-Type', `${type}; charset=utf-8`).send(made.text);
  };
  const sendPage = (reply: FastifyReply, made: { text: string; tag: string }): FastifyReply => {
    reply.header('Content-Security-Policy', policy).header('Referrer-Policy', 'no-referrer');
    return send(reply, 'text/html', made);
  };
  const sendMissing = (reply: FastifyReply): FastifyReply => {
    reply.header('Content-Security-Policy', policy).header('Referrer-Policy', 'no-referrer');
    return reply.code(404).header('Content-Type', 'text/html; charset=utf-8').send(missingPage());
  };

  app.get('/openapi.json', (_request, reply) => {
    const make = () => printJson(makeOpenApi(operations, { public_url: public_url(), answers }));
    reply.header('Access-Control-Allow-Origin', '*');
    return send(reply, 'application/json', keep('openapi', make));
  });
  app.get('/docs/style.css', (_request, reply) =>
    send(
      reply,
      'text/css',
      keep('style', () => style),
    ),
  );
  app.get('/docs', (_request, reply) =>
    sendPage(
      reply,
      keep('overview', () => overviewPage(groups, public_url())),
    ),
  );
  for (const group of groups) {
    const make = () => tagPage(group, { groups, answers, public_url: public_url() });
    app.get(`/docs/reference/${group.tag}`, (_request, reply) =>
      sendPage(reply, keep(`tag ${group.tag}`, make)),
    );
  }
  app.get('/docs/errors', (_request, reply) => sendPage(reply, keep('errors', errorListPage)));
  app.get('/docs/errors/:code', (request, reply) => {
    const { code } = request.params as { code: string };
    const text = errorPage(code, operations);
    return text === undefined
      ? sendMissing(reply)
      : sendPage(
          reply,
          keep(`error ${code}`, () => text),
        );
  });
  app.get('/docs/webhooks', (_request, reply) => {
    const text = receiversPage();
    return text === undefined
      ? sendMissing(reply)
      : sendPage(
          reply,
          keep('receivers', () => text),
        );
  });
  app.get('/docs/event-schemas.json', (_request, reply) => {
    reply.header('Access-Control-Allow-Origin', '*');
    const make = () => `${JSON.stringify(makeEventSchemas(), null, 2)}\n`;
    return send(reply, 'application/schema+json', keep('event-schemas', make));
  });
  app.get('/docs/*', (_request, reply) => sendMissing(reply));
}

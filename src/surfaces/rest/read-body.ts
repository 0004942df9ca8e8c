/** Reads bodies as bytes, within the operation's limit, a deadline, and each company's share of bodies on the way. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { freeMemory } from '../../kernel/base64-file.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { largestBody } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import type { SharePort } from '../../platform/share-owners.ts';
import { Tally } from '../../platform/tally.ts';
import { isCrumbled } from './counted-request.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import { ArrivedInTurn, LargeBodies, largeBytes } from './large-bodies.ts';
import { bodyLimitOf, jsonBodies, operationOf } from './request.ts';
import { type ArrivedUpload, UploadReader } from './upload-reader.ts';

export type BodyBounds = {
  /** From the call's admission to the last byte of its body. The head has a time of its own (`requestTimeout`). */
  body_seconds: number;
  /** Bodies of one company that are on the way at a time. */
  bodies_max: number;
  /** A file that comes or goes slowly keeps its place for this long when others wait for one. */
  place_seconds: number;
};

export const bodyBounds: BodyBounds = { body_seconds: 30, bodies_max: 64, place_seconds: 5 };

const retrySeconds = 2;

const crumbled = { param: 'body', is_unread: true } as const;

/** A file may come over a slow line. The server ends a request after 60 seconds (`requestTimeout`). */
const uploadSeconds = 55;

type Body = Buffer | ArrivedUpload;
type Done = (error: Error | null, body?: Body) => void;

export const formBodies = /^application\/x-www-form-urlencoded(\s*;.*)?$/i;

const callerOf = ({ state }: FastifyRequest) => state.visit?.caller?.company_id ?? state.user_id;

/**
 * Any other media type is refused, and any content coding (RFC 9110, 8.4).
 * @param companyOf in whose share a body is on its way: a company, or whoever else has one of their own
 */
export function readBodiesAsBytes(
  app: FastifyInstance,
  bounds: BodyBounds,
  shares: SharePort,
  media_type: RegExp = jsonBodies,
  companyOf: (request: FastifyRequest) => string | undefined = callerOf,
): void {
  const arriving = new Tally<string>();
  const large = new LargeBodies();
  const arrived = new ArrivedInTurn();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(media_type, (request, payload, done: Done) => {
    const coding = request.headers['content-encoding'] ?? 'identity';
    if (coding.toLowerCase() !== 'identity') {
      payload.resume();
      done(fail(c.unsupported_media_type, { param: 'Content-Encoding' }));
      return;
    }
    const company_id = companyOf(request);
    const owner = company_id ? shares.ownerOf(company_id) : '';
    if (arriving.of(owner) >= bounds.bodies_max) {
      const values = { seconds: retrySeconds };
      done(fail(c.company_share_exceeded, { retry_after_seconds: retrySeconds, values }));
      return;
    }
    arriving.add(owner);
    const upload = operationOf(request)?.upload ?? null;
    const seconds = upload === null ? bounds.body_seconds : Math.max(bounds.body_seconds, uploadSeconds);
    const sink = upload === null ? bytesSink() : fileSink(request, upload);
    readBytes(request, payload, { seconds, sink }, (error, body) => {
      const end = () => {
        arriving.remove(owner);
        done(error, body);
      };
      // One at hand was read already, and its call may have begun.
      if (!body || request.state.at_hand) return end();
      const length = lengthOf(body);
      const is_large = length > largeBytes;
      // A form, or a small body, is read as soon as it is handed over.
      const begin = () => (is_large && media_type === jsonBodies ? untilRead(request, end) : end());
      if (is_large || arrived.isTooMuch(owner, length)) large.takeTurn(owner, begin);
      else end();
    });
  });
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(fail(c.unsupported_media_type, { param: 'Content-Type' }), undefined);
  });
}

type Sink = {
  /** @returns false when it takes no more */
  write(chunk: Buffer): boolean;
  end(): Body;
};

function bytesSink(): Sink {
  const gathered = new GatheredBytes();
  return {
    write(chunk) {
      gathered.add(chunk);
      return true;
    },
    end: () => gathered.all(),
  };
}

/** The buffer has the announced size. It takes memory as it fills. */
function fileSink(request: FastifyRequest, member: string): Sink {
  const limit = bodyLimitOf(request);
  const announced = Number(request.headers['content-length'] ?? 0);
  const bytes = Math.ceil((Math.min(announced || 0, limit) * 3) / 4);
  const reader = new UploadReader(member, largestBody, bytes);
  return {
    write(chunk) {
      const is_taken = reader.write(chunk);
      // Read once. Left to the collector, the pieces would take as much as the file again.
      if (chunk.length === chunk.buffer.byteLength) freeMemory(chunk);
      return is_taken;
    },
    end: () => reader.end(),
  };
}

function untilRead(request: FastifyRequest, begin: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  request.state.bodyIsRead = resolve;
  begin();
  return promise;
}

const lengthOf = (body: Body) => (Buffer.isBuffer(body) ? body.length : body.rest.length);

function readBytes(
  request: FastifyRequest,
  payload: NodeJS.ReadableStream,
  { seconds, sink }: { seconds: number; sink: Sink },
  done: Done,
): void {
  const limit = bodyLimitOf(request);
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced > limit) {
    done(fail(c.request_too_large, { values: { limit } }));
    return;
  }
  let length = 0;
  const end = (error: Error | null) => {
    clearTimeout(timer);
    request.state.refuseBody = undefined;
    payload.off('data', take).off('end', onEnd).off('error', onCut).off('close', onCut);
    // A caller that goes away later is no fault.
    payload.on('error', () => undefined);
    if (error) payload.resume();
    done(error, error ? undefined : sink.end());
  };
  const take = (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) end(fail(c.request_too_large, { values: { limit } }));
    else if (!sink.write(chunk)) end(fail(c.request_too_large, { values: { limit: largestBody } }));
  };
  const onEnd = () => end(isCrumbled(payload) ? fail(c.parameter_invalid_format, crumbled) : null);
  const onCut = () => end(fail(c.request_aborted));
  const timer = setTimeout(() => end(fail(c.request_timeout, { values: { seconds } })), seconds * 1000);
  request.state.refuseBody = end;
  payload.on('data', take).on('end', onEnd).on('error', onCut).on('close', onCut);
}

/** The calls of a test over the surface in memory: a case that is written for HTTP runs over both. */
import { catalog } from '../../src/modules/catalog.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import type { Operation } from '../../src/kernel/operation.ts';
import type { Answer, App, CallOptions } from '../harness.ts';
import { memorySurface } from './memory-surface.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

function paramsOf({ path }: Operation, pathname: string): Record<string, string> {
  const parts = pathname.split('/');
  const names = path.split('/').flatMap((name, at) => (name.startsWith(':') ? [[name.slice(1), at]] : []));
  return Object.fromEntries(names.map(([name, at]) => [name, decodeURIComponent(parts[Number(at)] ?? '')]));
}

/** What HTTP says in headers. */
function toldBy(options: CallOptions) {
  const sent = new Map(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const [idempotency_key, version, active_profile] = [
    sent.get('idempotency-key'),
    sent.get('service-version'),
    sent.get('x-active-profile'),
  ];
  return {
    ...(idempotency_key === undefined ? {} : { idempotency_key }),
    ...(version === undefined ? {} : { version }),
    ...(active_profile === undefined ? {} : { active_profile }),
  };
}

/** A path of no operation, such as a public page, and a raw body go over HTTP. Answers are held as those of HTTP are. */
export function overMemory(app: App): App {
  const surface = memorySurface(app, catalog);
  const call = async (method: Method, path: string, options: CallOptions = {}): Promise<Answer> => {
    const url = new URL(path, app.url);
    const operation = app.operationOf(method, url.pathname);
    if (!operation || options.raw !== undefined) return app.call(method, path, options);
    const request_id = `mem_${newId()}`;
    const told = await surface.call(options.key ?? null, operation.name, {
      ...toldBy(options),
      params: paramsOf(operation, url.pathname),
      query: { ...Object.fromEntries(url.searchParams), ...options.query },
      body: options.body,
      request_id,
    });
    const bytes = told.ok && Buffer.isBuffer(told.body) ? told.body : null;
    const text = bytes ? '' : JSON.stringify(told.ok ? told.body : { error: told.error });
    const answer: Answer = {
      status: told.status,
      headers: {
        'content-type': operation.output_media_type,
        ...(told.ok && (told.is_replay || told.is_repeat) ? { 'idempotent-replayed': 'true' } : {}),
        'x-request-id': request_id,
      },
      body: bytes ? undefined : JSON.parse(text),
      text,
      bytes: bytes ?? Buffer.from(text),
    };
    app.hold(method, url.pathname, answer, options.expects_fault === true);
    return answer;
  };
  return Object.assign(Object.create(app) as App, { call });
}

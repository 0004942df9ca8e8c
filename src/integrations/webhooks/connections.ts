/**
 * Connections that are kept for further requests (ADR 101). The other side may close one, or restart, at the moment at
 * which a request goes out on it. That says nothing about the receiver, so the request is sent once more, on a new
 * connection. Who hangs up on a new connection too is not sent to twice again.
 */
import {
  Agent,
  type buildConnector,
  Client,
  DecoratorHandler,
  type Dispatcher,
  errors,
  Pool,
  request,
} from 'undici';
import { connectorOf } from '../http/connector.ts';

type RequestOptions = Omit<Exclude<Parameters<typeof request>[1], undefined>, 'dispatcher' | 'signal'>;

/** Addresses that hung up on a new connection. The oldest is forgotten first. */
const hangingMax = 1000;

export class Connections {
  readonly #kept: Agent;
  readonly #fresh: Agent;
  readonly #hanging = new Set<string>();

  constructor(options: Agent.Options) {
    this.#kept = agentOf(options);
    // Without pipelining a connection serves one request.
    this.#fresh = agentOf({ ...options, pipelining: 0 });
  }

  async request(
    url: string,
    signal: AbortSignal,
    options: RequestOptions,
  ): Promise<Dispatcher.ResponseData<unknown>> {
    const ask = (dispatcher: Agent) => requestInTime(url, signal, { ...options, dispatcher });
    try {
      const answer = await ask(this.#hanging.has(url) ? this.#fresh : this.#kept).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof ConnectionEnded) || !error.was_kept) throw error;
        return ask(this.#fresh);
      });
      this.#hanging.delete(url);
      return answer;
    } catch (error) {
      if (error instanceof ConnectionEnded) this.#remember(url);
      throw error;
    }
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#kept.destroy(), this.#fresh.destroy()]);
  }

  #remember(url: string): void {
    const [oldest] = this.#hanging;
    if (this.#hanging.size >= hangingMax && oldest !== undefined) this.#hanging.delete(oldest);
    this.#hanging.add(url);
  }
}

/**
 * undici heeds the signal only once it is connected, and a handshake may never end. A request that is over by then is not
 * sent.
 */
async function requestInTime(
  url: string,
  signal: AbortSignal,
  options: RequestOptions & { dispatcher: Agent },
): Promise<Dispatcher.ResponseData<unknown>> {
  const over = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
  return await Promise.race([request(url, { ...options, signal }), over]);
}

/** No byte of an answer came. */
class ConnectionEnded extends Error {
  /** It had served another request. */
  readonly was_kept: boolean;

  constructor(was_kept: boolean, cause: Error) {
    super('the connection ended', { cause });
    this.was_kept = was_kept;
  }
}

function agentOf(options: Agent.Options): Agent {
  return new Agent({
    ...options,
    factory: (origin, given) =>
      new Pool(origin, {
        ...given,
        connect: connectorOf((given as { connect: buildConnector.BuildOptions }).connect),
        factory: (url, more) => new CountingClient(url, more as Client.Options),
      }),
  });
}

/** Has one connection at a time. */
class CountingClient extends Client {
  /** Requests on the connection that is there. */
  #count = 0;

  constructor(url: URL, options: Client.Options) {
    super(url, options);
    this.on('connect', () => {
      this.#count = 0;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(options, new WatchingHandler(handler, () => this.#count++ > 0));
  }
}

class WatchingHandler extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #begin: () => boolean;
  /** Null: not sent, or an answer began. */
  #was_kept: boolean | null = null;

  /** @param begin counts the request, and says whether its connection was used before */
  constructor(handler: Dispatcher.DispatchHandler, begin: () => boolean) {
    super(handler);
    this.#handler = handler;
    this.#begin = begin;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#was_kept = this.#begin();
    this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStarted(): void {
    this.#was_kept = null;
    this.#handler.onResponseStarted?.();
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    const is_end = this.#was_kept !== null && isEnd(error);
    this.#handler.onResponseError?.(
      controller,
      is_end ? new ConnectionEnded(this.#was_kept === true, error) : error,
    );
  }
}

const endCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE'];

/** undici tells bytes that are no answer as a fault of the socket too. */
const isEnd = (error: Error & { code?: unknown }): boolean =>
  endCodes.includes(error.code) || (error instanceof errors.SocketError && !error.message.startsWith('bad '));

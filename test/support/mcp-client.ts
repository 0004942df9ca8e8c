/** The official client, and requests of the protocol by hand. */
import type { TestContext } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Answer, App, CallOptions } from '../harness.ts';

export const revision = '2026-07-28';

type ConnectOptions = {
  path?: string;
  headers?: Record<string, string>;
  capabilities?: Record<string, object>;
};

/** Pinned: by itself the client speaks the older handshake, which is refused. */
export async function connectMcp(t: TestContext, app: App, key: string, options: ConnectOptions = {}) {
  const transport = new StreamableHTTPClientTransport(new URL(options.path ?? '/mcp', app.url), {
    requestInit: { headers: { authorization: `Bearer ${key}`, ...options.headers } },
  });
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: revision } }, capabilities: options.capabilities ?? {} },
  );
  await client.connect(transport);
  t.after(() => client.close());
  return client;
}

type RawOptions = CallOptions & { path?: string; capabilities?: object };

/** A message with the headers that repeat it. */
export function mcpRequest(method: string, params: Record<string, unknown> = {}, capabilities: object = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
  };
  return { headers, body: { jsonrpc: '2.0', id: 1, method, params: { _meta, ...params } } };
}

/** One request as it stands on the wire. Headers and body may be others. */
export function askMcp(
  app: App,
  method: string,
  params: Record<string, unknown> = {},
  { path = '/mcp', capabilities, headers, ...options }: RawOptions = {},
): Promise<Answer> {
  const made = mcpRequest(method, params, capabilities);
  const body = options.raw === undefined ? { body: made.body } : {};
  return app.post(path, { ...body, ...options, headers: { ...made.headers, ...headers } });
}

export function callTool(
  app: App,
  key: string,
  name: string,
  args: Record<string, unknown> = {},
  { more, ...options }: RawOptions & { more?: object } = {},
): Promise<Answer> {
  return askMcp(app, 'tools/call', { name, arguments: args, ...more }, { key, ...options });
}

/** A collector of OpenTelemetry (OTLP over HTTP, as JSON). */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type SentSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number };
};

type Sent = { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] };

export class TraceCollector {
  url = '';
  /** As they came. */
  readonly bodies: string[] = [];
  readonly paths = new Set<string>();
  answers = true;
  readonly #held: (() => void)[] = [];

  static async listen(t: TestContext): Promise<TraceCollector> {
    const collector = new TraceCollector();
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        collector.paths.add(`${request.method} ${request.url}`);
        collector.bodies.push(Buffer.concat(chunks).toString());
        const answer = () => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        if (collector.answers) answer();
        else collector.#held.push(answer);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    t.after(() => {
      for (const answer of collector.#held) answer();
      server.closeIdleConnections();
      server.close();
    });
    return collector;
  }

  /** All that was sent but what is drawn or counted: a time or an id holds any few digits by chance. */
  said(): string {
    const drawn = /"(?:trace|span|parentSpan)Id":"[0-9a-f]+"|"(?:start|end)?[tT]imeUnixNano":"?\d+"?/g;
    return this.bodies.join('\n').replaceAll(drawn, '');
  }

  spans(): SentSpan[] {
    const sent = this.bodies.map((body) => JSON.parse(body) as Sent);
    return sent.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }
}

export function factsOf({ attributes }: SentSpan): Record<string, string | number | undefined> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}

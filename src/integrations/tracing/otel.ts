/** Sends traces to a collector by OTLP over HTTP (ADR 73). Loaded only where FOLIO_OTEL_ENDPOINT is set. */
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind as Kinds,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../../kernel/log.ts';
import type { OpenSpan, SpanKind, Tracing } from '../../kernel/tracing.ts';
import { samplerOfCallers } from './callers-word.ts';

export type TraceSender = Tracing & {
  /** Sends what is left, for two seconds at most. Never throws. */
  close(): Promise<void>;
};

export type TraceOptions = {
  /** Of the collector, without `/v1/traces`. */
  endpoint: string;
  /** How many of a hundred traces that begin here are kept. */
  percent: number;
  /** `api`, `worker` or `all`. */
  role: string;
  /** Told when the collector takes none, and when it does again. */
  log: Pick<Log, 'info' | 'warn'>;
};

const kinds: Record<SpanKind, Kinds> = {
  server: Kinds.SERVER,
  consumer: Kinds.CONSUMER,
  client: Kinds.CLIENT,
  internal: Kinds.INTERNAL,
};

/** Spans that wait for the collector; more are dropped. Some five megabytes. */
const waitingMax = 8192;
const batchMax = 512;
const pauseMs = 1000;
const exportMs = 3000;
const closingMs = 2000;

/** The library says nothing of batches that are lost. */
function tellOfLosses(exporter: SpanExporter, log: TraceOptions['log']): SpanExporter {
  let is_well = true;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const was_well = is_well;
        is_well = result.code === ExportResultCode.SUCCESS;
        // Its message may hold what the collector answered.
        if (was_well && !is_well) log.warn({}, 'traces do not reach the collector in FOLIO_OTEL_ENDPOINT');
        if (!was_well && is_well) log.info({}, 'traces reach the collector again');
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}

export function sendTraces({ endpoint, percent, role, log }: TraceOptions): TraceSender {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: exportMs,
    // One batch at a time: a slow collector costs spans, never memory.
    concurrencyLimit: 1,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'folio', 'folio.role': role }),
    sampler: new ParentBasedSampler({
      root: percent === 100 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(percent / 100),
      remoteParentSampled: samplerOfCallers(percent),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: tellOfLosses(exporter, log),
        maxQueueSize: waitingMax,
        maxExportBatchSize: batchMax,
        scheduledDelayMillis: pauseMs,
        exportTimeoutMillis: exportMs,
      }),
    ],
  });
  const tracer = provider.getTracer('folio');
  const contexts = new AsyncLocalStorageContextManager().enable();

  /** Undefined: a part of the current span, if there is one that is kept. */
  function parentOf(given: string | null | undefined): Context | null {
    if (given === undefined) {
      const active = contexts.active();
      return trace.getSpan(active)?.isRecording() ? active : null;
    }
    const caller = given === null ? null : parseTraceParent(given);
    return caller ? trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true }) : ROOT_CONTEXT;
  }

  return {
    open(name, kind, facts, given): OpenSpan | null {
      const parent = parentOf(given);
      if (parent === null) return null;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: facts }, parent);
      return {
        get traceparent() {
          return traceparentOf(span);
        },
        within: (work) => contexts.with(trace.setSpan(parent, span), work),
        add: (more) => void span.setAttributes(more),
        end(fault) {
          if (fault !== null) {
            span.setAttribute('error.type', fault);
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
    traceparent() {
      const span = trace.getSpan(contexts.active());
      return span ? traceparentOf(span) : null;
    },
    keep() {
      const context = contexts.active();
      return (work) => contexts.with(context, work);
    },
    without: (work) => contexts.with(ROOT_CONTEXT, work),
    async close() {
      const closed = provider.shutdown().catch(() => undefined);
      const late = new Promise((resolve) => setTimeout(resolve, closingMs).unref());
      await Promise.race([closed, late]);
    },
  };
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

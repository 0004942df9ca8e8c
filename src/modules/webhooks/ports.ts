/** What deliveries need of the outside: one request to a receiver. integrations/webhooks implements it. */

declare module '../../kernel/ports.ts' {
  interface Ports {
    receivers: ReceiverPort;
  }
}

export type OutgoingRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Exactly these bytes were signed. */
  body: string;
  /** From connecting to the last header of the answer. */
  timeout_ms: number;
  /** Local addresses, one of which to send from; empty: any. */
  source_ips: readonly string[];
};

export type ReceiverAnswer = {
  /** Null when there was no answer. */
  status: number | null;
  /** Its first 4 KB at most. */
  body: string | null;
  duration_ms: number;
  /** Why there was no answer, for the receiver's developer; else null. */
  error: string | null;
};

export type ReceiverPort = {
  /**
   * One request over HTTPS to a public address, which is checked on the connection itself. Redirects are not
   * followed. Never throws for a fault of the other side.
   */
  send(request: OutgoingRequest): Promise<ReceiverAnswer>;
  /** Why an address can never be a receiver; null when it can. Asked when an endpoint is stored. */
  refusal(url: string): string | null;
  /** The addresses that requests go out from, as configured (FOLIO_EGRESS_IPS). */
  source_ips: readonly string[];
};

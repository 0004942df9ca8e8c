/** What deliveries need of the outside: one request to a receiver. integrations/webhooks implements it. */

declare module '../../kernel/ports.ts' {
  interface Ports {
    receivers: ReceiverPort;
  }
}

export type OutgoingRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Exactly these bytes are signed and sent. */
  body: string;
  /** From connecting to the last header of the answer. */
  timeout_ms: number;
  /** Addresses of this machine, one of which it goes out from; empty: any. */
  source_ips: readonly string[];
};

export type ReceiverAnswer = {
  /** Null when there was no answer. */
  status: number | null;
  /** At most 4 KB of it. */
  body: string | null;
  duration_ms: number;
  /** Why there was no answer, in words for the receiver's developer; null when there was one. */
  error: string | null;
};

export type ReceiverPort = {
  /**
   * Sends one request over HTTPS to a public address, checked on the address that is connected to. Redirects are not
   * followed. Never throws for what the other side does.
   */
  send(request: OutgoingRequest): Promise<ReceiverAnswer>;
  /** Why an address can never be a receiver; null when it may be. Asked when an endpoint is stored. */
  refusal(url: string): string | null;
  /** The addresses that requests go out from, as configured (FOLIO_EGRESS_IPS). */
  source_ips: readonly string[];
};

/** One request to a receiver. integrations/webhooks implements it. */

declare module '../../kernel/ports.ts' {
  interface Ports {
    receivers: ReceiverPort;
  }
}

export type OutgoingRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Exactly the signed bytes. */
  body: string;
  /** From connecting to the answer's last header. */
  timeout_ms: number;
  /** Local addresses to choose from; empty: any. */
  source_ips: readonly string[];
};

export type ReceiverAnswer = {
  /** Null: no answer. */
  status: number | null;
  /** The first 4 KB. */
  body: string | null;
  duration_ms: number;
  /** For the receiver's developer. */
  error: string | null;
};

export type ReceiverPort = {
  /**
   * Sends over HTTPS. Checks on the connection itself that the address is public. Follows no redirects. Never
   * throws for a fault of the other side.
   */
  send(request: OutgoingRequest): Promise<ReceiverAnswer>;
  /** Why an address can never be a receiver; null: it can. Asked when an endpoint is stored. */
  refusal(url: string): string | null;
  /** As configured (FOLIO_EGRESS_IPS). */
  source_ips: readonly string[];
};

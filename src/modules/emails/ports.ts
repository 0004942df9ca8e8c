/** A mail server. integrations/smtp implements it. */

declare module '../../kernel/ports.ts' {
  interface Ports {
    mailer: MailerPort;
    message_ids: MessageIdPort;
  }
}

export type OutgoingEmail = {
  /** With angle brackets; the same at every attempt. */
  message_id: string;
  /** The header `Date`; the same at every attempt. */
  dated_at: Date;
  from_name: string;
  reply_to: string | null;
  to: readonly string[];
  cc: readonly string[];
  /** Of this attempt; the others are served. */
  recipients: readonly string[];
  subject: string;
  text: string;
  html: string;
  attachments: readonly { filename: string; media_type: string; bytes: Uint8Array }[];
};

/** With the server's answer or an explanation for people. */
export type UnservedRecipient = { address: string; answer: string };

/** Each recipient is in one of the lists. */
export type MailOutcome = {
  accepted: readonly string[];
  /** For good. */
  refused: readonly UnservedRecipient[];
  /** For now: they may be tried again. */
  deferred: readonly UnservedRecipient[];
  /** For people of the company: the server's answer or what went wrong. */
  answer: string;
  /** For the operator; without credentials. */
  fault: string | null;
};

export type MailerPort = {
  is_configured: boolean;
  /** Sender of all messages, target of bounces (FOLIO_MAIL_FROM); null: not configured. */
  from: string | null;
  /** Never throws for a fault of the other side. */
  send(email: OutgoingEmail): Promise<MailOutcome>;
};

export type EmailRef = { company_id: string; id: string };

/** Message-IDs that only this installation can make. */
export type MessageIdPort = {
  /** @returns with angle brackets; the same at every call */
  of(email: EmailRef, from: string): string;
  /** @returns undefined when this installation did not make it */
  read(message_id: string): EmailRef | undefined;
};

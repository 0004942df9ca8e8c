/** What e-mails need of the outside: a mail server. integrations/smtp implements it. */

declare module '../../kernel/ports.ts' {
  interface Ports {
    mailer: MailerPort;
    message_ids: MessageIdPort;
  }
}

export type OutgoingEmail = {
  /** With angle brackets; the same at every attempt. */
  message_id: string;
  /** The same at every attempt. */
  written_at: Date;
  from_name: string;
  reply_to: string | null;
  to: readonly string[];
  cc: readonly string[];
  /** The recipients of this attempt; others were served before. */
  recipients: readonly string[];
  subject: string;
  text: string;
  html: string;
  attachments: readonly { filename: string; media_type: string; bytes: Uint8Array }[];
};

/** A recipient that was not served, and the server's answer or an explanation for people. */
export type UnservedRecipient = { address: string; answer: string };

/** Each recipient is in one of the lists. */
export type MailOutcome = {
  accepted: readonly string[];
  /** Refused for good. */
  refused: readonly UnservedRecipient[];
  /** Refused for now: they may be tried again. */
  deferred: readonly UnservedRecipient[];
  /** The server's answer or what went wrong, for a person of the company. */
  answer: string;
  /** What the operator should know; without credentials. */
  fault: string | null;
};

export type MailerPort = {
  /** Whether a server is configured (FOLIO_SMTP_URL). */
  is_configured: boolean;
  /** Sender of all messages, and where bounces return to (FOLIO_MAIL_FROM); null when not configured. */
  from: string | null;
  /** Never throws for a fault of the other side. */
  send(email: OutgoingEmail): Promise<MailOutcome>;
};

export type EmailRef = { company_id: string; id: string };

/** Message-IDs that only this installation can make. */
export type MessageIdPort = {
  /** @returns with angle brackets; the same for the same e-mail and sender */
  of(email: EmailRef, from: string): string;
  /** @returns undefined for one that this installation did not make */
  read(message_id: string): EmailRef | undefined;
};

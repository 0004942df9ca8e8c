/** What e-mails need of the outside: a server that takes them. integrations/smtp implements it. */

declare module '../../kernel/ports.ts' {
  interface Ports {
    mailer: MailerPort;
    message_ids: MessageIdPort;
  }
}

export type OutgoingEmail = {
  /** With its angle brackets; the same at every attempt. */
  message_id: string;
  /** When it was written; the same at every attempt. */
  written_at: Date;
  from_name: string;
  reply_to: string | null;
  to: readonly string[];
  cc: readonly string[];
  /** Those of them that it goes to this time: others were served before. */
  recipients: readonly string[];
  subject: string;
  text: string;
  html: string;
  attachments: readonly { filename: string; media_type: string; bytes: Uint8Array }[];
};

/** Somebody whom the server does not serve, and its words, or what went wrong in words for a person. */
export type UnservedRecipient = { address: string; answer: string };

/** What became of one attempt: each recipient is in one of the lists. */
export type MailOutcome = {
  /** The server has taken the message for them. */
  accepted: readonly string[];
  /** Never: the server's answer is final. */
  refused: readonly UnservedRecipient[];
  /** Not for now: they may be tried again. */
  deferred: readonly UnservedRecipient[];
  /** The server's answer, or what went wrong, in words for a person of the company. */
  answer: string;
  /** What the operator of the service should know; without credentials. */
  fault: string | null;
};

export type MailerPort = {
  /** Whether a server is configured (FOLIO_SMTP_URL). */
  is_configured: boolean;
  /** The address that messages come from and bounces return to (FOLIO_MAIL_FROM); null when none is configured. */
  from: string | null;
  /** Never throws for what the other side does. */
  send(email: OutgoingEmail): Promise<MailOutcome>;
};

/** An e-mail, and whose it is. */
export type EmailRef = { company_id: string; id: string };

/** Message-IDs that name their e-mail, and that nobody makes but this installation. */
export type MessageIdPort = {
  /** @returns with its angle brackets; the same for the same e-mail and sender */
  of(email: EmailRef, from: string): string;
  /** @returns undefined for one that this installation did not make */
  read(message_id: string): EmailRef | undefined;
};

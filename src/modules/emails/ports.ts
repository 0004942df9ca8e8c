/** What e-mails need of the outside: a server that takes them. integrations/smtp implements it. */

declare module '../../kernel/ports.ts' {
  interface Ports {
    mailer: MailerPort;
  }
}

export type OutgoingEmail = {
  /** With its angle brackets; the same at every attempt. */
  message_id: string;
  from_name: string;
  reply_to: string | null;
  to: readonly string[];
  cc: readonly string[];
  subject: string;
  text: string;
  html: string;
  attachments: readonly { filename: string; media_type: string; bytes: Uint8Array }[];
};

/** What the server said of one message. */
export type MailOutcome = {
  /** `failed`: not for now, it may be tried again; `refused`: never, for every recipient. */
  status: 'accepted' | 'failed' | 'refused';
  /** Recipients that the server will not take, with its words; the others are served when the status is `accepted`. */
  refused: readonly { address: string; answer: string }[];
  /** The server's answer, or what went wrong, in words for a person. */
  answer: string;
};

export type MailerPort = {
  /** Whether a server is configured (FOLIO_SMTP_URL). */
  is_configured: boolean;
  /** The address that messages come from and bounces return to (FOLIO_MAIL_FROM); null when none is configured. */
  from: string | null;
  /** Never throws for what the other side does. */
  send(email: OutgoingEmail): Promise<MailOutcome>;
};

/** The last messages, for tests and for a look into a sandbox. */
import { createHash } from 'node:crypto';

export type LoggedMessage = {
  /** ISO instant by the company's clock; empty for an unknown company. */
  at: string;
  /** The sandbox company, or the taxpayer's NIF. */
  company_id: string;
  operation: string;
  holder_nif: string;
  /** Equal for a repeated message. */
  body_sha256: string;
  /** The first characters. */
  body: string;
  records: number;
  /** Header flags of a submission. */
  incidencia: string | null;
  fecha_fin: string | null;
  /** `answered`, `fault 4102`, or the kind of a fault on demand. */
  outcome: string;
  csv: string | null;
  lines: { key: string; operation: string; state: string; code: number | null }[];
};

const BODY_MAX = 16_384;

export type MessageLog = {
  messages: readonly LoggedMessage[];
  add: (message: Omit<LoggedMessage, 'body' | 'body_sha256'>, body: Uint8Array) => void;
};

export function messageLog(messages_max: number): MessageLog {
  const messages: LoggedMessage[] = [];
  return {
    messages,
    add(message, body) {
      messages.push({
        ...message,
        body_sha256: createHash('sha256').update(body).digest('hex'),
        body: Buffer.from(body.subarray(0, BODY_MAX)).toString('utf8'),
      });
      if (messages.length > messages_max) messages.shift();
    },
  };
}

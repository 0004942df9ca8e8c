/**
 * What this module needs of the outside: the text of records, signatures, and the tax authority.
 * integrations/aeat implements these ports.
 */
import type { Environment } from '../../kernel/operation.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type {
  ChainedEvent,
  ChainedRecord,
  ReadRecord,
  RecordKind,
  SpanishParty,
  SystemInfo,
  WrittenRecord,
} from './record.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    records: RecordPort;
    authority: AuthorityPort;
    /** What only the declaration of conformity says of the producer: its address, and where it signs. */
    declarant: { address: string | null; place: string | null };
    /** Seals the keys of certificates. */
    secrets: SecretBox;
    /** The invoicing system and its producer. The rest of what a record says of the system is the company's. */
    system: Pick<SystemInfo, 'producer' | 'name' | 'code' | 'version'> & {
      /** Whether a producer is configured. Until then sandbox companies have a producer of their own. */
      is_configured: boolean;
    };
    certificates: CertificatePort;
  }
}

/**
 * A key that signs and its certificate, followed by that certificate's chain, as PEM. It is never logged and
 * never stored open.
 */
export type Signer = { private_key: string; certificates: readonly string[] };

/** A certificate file: the signer, its holder and its term. */
export type CertificateFile = Signer & {
  kind: 'person' | 'representative' | 'seal';
  /**
   * The taxpayer's: of the person, of the entity represented, or of the entity whose seal it is. Null when
   * none can be read.
   */
  tax_id: string | null;
  holder_name: string;
  subject: string;
  issuer: string;
  /** In hexadecimal, as issued. */
  serial: string;
  /** SHA-256 of the certificate, in lower-case hexadecimal. */
  fingerprint: string;
  valid_from: Date;
  valid_until: Date;
};

export type CertificatePort = {
  /** @returns the certificate with its key, or what is wrong, in words for the person who uploaded it */
  read(
    bytes: Uint8Array,
    password: string,
  ): Promise<CertificateFile | { fault: string; is_password: boolean }>;
};

/** Writes and reads records and events. All but signing is pure and synchronous, as issuing waits for it. */
export type RecordPort = {
  /**
   * The exact text of a record and its huella. The text declares its namespaces, so it can stand alone or in a
   * message.
   */
  writeRecord(record: ChainedRecord): WrittenRecord;
  writeEvent(event: ChainedEvent): WrittenRecord;
  /** Adds an enveloped XAdES-EPES signature as the last child. Every other byte stays. */
  sign(xml: string, signer: Signer, signed_at: string): Promise<string>;
  /** @throws Error for a text that is no record */
  readRecord(xml: string): ReadRecord;
  readEvent(xml: string): ChainedEvent & { huella: string; is_signed: boolean };
  checkSignature(xml: string): { is_valid: boolean; reason: string | null; certificate: string | null };
  /**
   * What breaks the authority's schema; empty when nothing does. Checking values takes microseconds. A text is
   * read first, and is also checked with the official schemas where these are configured.
   */
  findSchemaFaults(record: string | ChainedRecord): string[];
  /** What the official schemas alone find in a text; empty where they are not configured. */
  findOfficialFaults(xml: string): string[];
  /** The huella of these values, computed anew. */
  huellaOf(record: ChainedRecord): string;
  huellaOfEvent(event: ChainedEvent): string;
};

/**
 * The certificate for mutual TLS. A seal sends to another host than the certificate of a person or a
 * representative.
 */
export type SendingIdentity = Signer & { kind: 'person' | 'seal' };

export type Message = {
  environment: Environment;
  company_id: string;
  taxpayer: SpanishParty;
  /** A technical incident has made these records late. */
  is_incident: boolean;
  /** The 31 December on which the company stops sending; null until that is decided. */
  ends_on: string | null;
  /** Exact texts, 1 to 1,000, oldest first. */
  records: readonly string[];
};

export type AnswerState = 'accepted' | 'accepted_with_errors' | 'rejected';

export type AnswerLine = {
  kind: RecordKind;
  tax_id: string;
  number: string;
  issued_on: string;
  reference: string | null;
  state: AnswerState;
  code: string | null;
  message: string | null;
  /** The state of a record that the authority already holds (code 3000). */
  duplicate: {
    state: 'accepted' | 'accepted_with_errors' | 'annulled';
    code: string | null;
    message: string | null;
  } | null;
};

export type SendResult =
  | {
      kind: 'answer';
      /** Null when it accepted no record of the message. */
      csv: string | null;
      /** The waiting time before the next message, in seconds. */
      wait_seconds: number;
      lines: readonly AnswerLine[];
      raw: string;
    }
  /** The authority stored nothing of the message. `is_client`: it would refuse the same message again. */
  | { kind: 'fault'; is_client: boolean; code: string | null; message: string; raw: string }
  /** No answer, or one that cannot be read. The authority may have stored the message. */
  | { kind: 'no_answer'; message: string };

export type AuthorityPort = {
  /** Whether anybody answers companies of this environment: the simulator, or the configured authority. */
  isConfigured(environment: Environment): boolean;
  /** The service's own certificate, with which it sends as a social collaborator; null when there is none. */
  serviceIdentity(environment: Environment): Promise<SendingIdentity | null>;
  /** Whether there is such a certificate. Does not open it. */
  hasServiceIdentity(environment: Environment): boolean;
  /** Sends one message and waits for its answer. What the other side does never makes it throw. */
  send(message: Message, identity: SendingIdentity): Promise<SendResult>;
  /** The text of the QR: the address where a recipient checks an invoice (Orden HAC/1177/2024, arts. 20 and 21). */
  qrUrl(
    environment: Environment,
    mode: 'verifactu' | 'no_verifactu',
    invoice: { tax_id: string; number: string; issued_on: string; total: string },
  ): string;
};

/**
 * What the records need of the outside: their text as the authority reads it, signatures, and the authority itself.
 * integrations/aeat implements these; main joins them.
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
    /** What only the declaration of conformity says of the producer: address, and where it is signed. */
    declarant: { address: string | null; place: string | null };
    /** Seals the keys of certificates. */
    secrets: SecretBox;
    /** The invoicing system and its producer; the rest of what a record says of it is the company's. */
    system: Pick<SystemInfo, 'producer' | 'name' | 'code' | 'version'> & {
      /** Whether a producer is configured; sandbox companies have one of their own until then. */
      is_configured: boolean;
    };
    certificates: CertificatePort;
  }
}

/** A key that signs, with its certificate first and the chain after it, as PEM. Never logged, never stored open. */
export type Signer = { private_key: string; certificates: readonly string[] };

/** What a certificate file holds: a signer, whose it is, and from when until when. */
export type CertificateFile = Signer & {
  kind: 'person' | 'representative' | 'seal';
  /** Of the taxpayer: the person, or the entity that is represented or whose seal it is; null when none can be read. */
  tax_id: string | null;
  holder_name: string;
  subject: string;
  issuer: string;
  /** As issued, in hexadecimal. */
  serial: string;
  /** SHA-256 of the certificate, in lower-case hexadecimal. */
  fingerprint: string;
  valid_from: Date;
  valid_until: Date;
};

/** Opens the certificate files that companies upload. */
export type CertificatePort = {
  /** @returns the file's certificate with its key, or what is wrong, in words for the person who uploaded it */
  read(
    bytes: Uint8Array,
    password: string,
  ): Promise<CertificateFile | { fault: string; is_password: boolean }>;
};

/** Writes and reads records and events. All but signing is pure; one call each, as these are on the issuing path. */
export type RecordPort = {
  /** The exact text of a record and its huella. The text declares its namespaces: it stands alone and within a message. */
  writeRecord(record: ChainedRecord): WrittenRecord;
  writeEvent(event: ChainedEvent): WrittenRecord;
  /** The text with an enveloped XAdES-EPES signature as its last child; all else stays byte for byte. */
  sign(xml: string, signer: Signer, signed_at: string): Promise<string>;
  /** @throws Error for a text that is no record */
  readRecord(xml: string): ReadRecord;
  readEvent(xml: string): ChainedEvent & { huella: string; is_signed: boolean };
  /** Whether the signature is right; the reason when it is not. */
  checkSignature(xml: string): { is_valid: boolean; reason: string | null; certificate: string | null };
  /**
   * What of a record breaks the authority's schema; empty when nothing does. With the official schemas configured
   * a text is shown to them as well. Values cost a few microseconds, a text has to be read first.
   */
  findSchemaFaults(record: string | ChainedRecord): string[];
  /** What the official schemas alone say against a text; empty where they are not configured. */
  findOfficialFaults(xml: string): string[];
  /** The huella that belongs to a record with these values, computed anew. */
  huellaOf(record: ChainedRecord): string;
  huellaOfEvent(event: ChainedEvent): string;
};

/** Who sends: a certificate for mutual TLS. A seal goes to another host than a person's or representative's. */
export type SendingIdentity = Signer & { kind: 'person' | 'seal' };

export type Message = {
  environment: Environment;
  company_id: string;
  taxpayer: SpanishParty;
  /** These records are late because of a technical incident. */
  is_incident: boolean;
  /** The day on which the company stops sending (31 December), once that is decided. */
  ends_on: string | null;
  /** Exact texts, 1 to 1,000, oldest first. */
  records: readonly string[];
};

export type AnswerState = 'accepted' | 'accepted_with_errors' | 'rejected';

/** What the authority says of one record. */
export type AnswerLine = {
  kind: RecordKind;
  tax_id: string;
  number: string;
  issued_on: string;
  reference: string | null;
  state: AnswerState;
  code: string | null;
  message: string | null;
  /** It holds the record already (code 3000): the state it has there. */
  duplicate: {
    state: 'accepted' | 'accepted_with_errors' | 'annulled';
    code: string | null;
    message: string | null;
  } | null;
};

export type SendResult =
  | {
      kind: 'answer';
      /** Null when no record of the message was accepted. */
      csv: string | null;
      /** Seconds until the next message. */
      wait_seconds: number;
      lines: readonly AnswerLine[];
      raw: string;
    }
  /** Nothing of the message was stored. `is_client`: the same message would be refused again. */
  | { kind: 'fault'; is_client: boolean; code: string | null; message: string; raw: string }
  /** No answer, or one that cannot be read: the authority may have stored the message or not. */
  | { kind: 'no_answer'; message: string };

export type AuthorityPort = {
  /** Whether somebody answers companies of that environment: the simulator, or the authority as configured. */
  isConfigured(environment: Environment): boolean;
  /** The service's own certificate, with which it sends as a social collaborator; null when there is none. */
  serviceIdentity(environment: Environment): Promise<SendingIdentity | null>;
  /** Whether there is one, without opening it. */
  hasServiceIdentity(environment: Environment): boolean;
  /** Sends one message and waits for its answer. Never throws for what the other side does. */
  send(message: Message, identity: SendingIdentity): Promise<SendResult>;
  /** Address under which a recipient checks an invoice: the text of the QR (VeriFactu facts, section 11). */
  qrUrl(
    environment: Environment,
    mode: 'verifactu' | 'no_verifactu',
    invoice: { tax_id: string; number: string; issued_on: string; total: string },
  ): string;
};

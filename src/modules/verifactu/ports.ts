/** integrations/aeat implements these ports. */
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

/** What reads texts in a thread takes these from here. The module's index would bring all operations into it. */
export { anomalyTypes, eventTypes } from './record.ts';
export { acceptedCountries } from './records/rules/accepted-countries.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    records: RecordPort;
    authority: AuthorityPort;
    /** What only the declaration of conformity says. */
    declarant: { address: string | null; place: string | null };
    /** Seals the keys of certificates. */
    secrets: SecretBox;
    /** The rest of what a record says of the system is the company's. */
    system: Pick<SystemInfo, 'producer' | 'name' | 'code' | 'version'> & {
      /** Until a producer is configured, sandbox companies have one of their own. */
      is_configured: boolean;
    };
    certificates: CertificatePort;
  }
}

/** PEM, the certificate before its chain. Never logged, never stored open. */
export type Signer = { private_key: string; certificates: readonly string[] };

export type CertificateFile = Signer & {
  kind: 'person' | 'representative' | 'seal';
  /** Of the person, of the entity represented, or of the seal's entity. Null when unreadable. */
  tax_id: string | null;
  holder_name: string;
  subject: string;
  issuer: string;
  serial: string;
  fingerprint: string;
  valid_from: Date;
  valid_until: Date;
};

export type CertificatePort = {
  /**
   * The fault is for the person who uploaded it.
   * @param owner_id the company in whose share the work counts (ADR 34)
   * @throws TurnsFull
   */
  read(
    bytes: Uint8Array,
    password: string,
    owner_id: string,
  ): Promise<CertificateFile | { fault: string; is_password: boolean }>;
};

/** All but signing and `reader` is pure and synchronous: issuing waits for it. */
export type RecordPort = {
  /** The text declares its namespaces: it can stand alone or in a message. */
  writeRecord(record: ChainedRecord): WrittenRecord;
  writeEvent(event: ChainedEvent): WrittenRecord;
  /** Adds an enveloped XAdES-EPES signature as the last child. Every other byte stays. */
  sign(xml: string, signer: Signer, signed_at: string): Promise<string>;
  /** What breaks the authority's schema. It takes microseconds. */
  findSchemaFaults(record: ChainedRecord): string[];
  /** Empty where the official schemas are not configured. */
  findOfficialFaults(xml: string): string[];
  huellaOf(record: ChainedRecord): string;
  huellaOfEvent(event: ChainedEvent): string;
  /** Loaded by the first who asks. */
  reader(): Promise<RecordReader>;
};

/** Reads the texts of records and events. */
export type RecordReader = Pick<RecordPort, 'huellaOf' | 'huellaOfEvent'> & {
  readRecord(xml: string): ReadRecord;
  readEvent(xml: string): ChainedEvent & { huella: string; is_signed: boolean };
  checkSignature(xml: string): { is_valid: boolean; reason: string | null; certificate: string | null };
  /** What breaks the authority's schema, and the official schemas where these are configured. */
  findTextFaults(xml: string): string[];
};

/** For mutual TLS. A seal sends to another host than a person or a representative. */
export type SendingIdentity = Signer & { kind: 'person' | 'seal' };

export type Message = {
  environment: Environment;
  company_id: string;
  taxpayer: SpanishParty;
  /** A technical incident made them late. */
  is_incident: boolean;
  /** The 31 December on which the company stops sending. */
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
  /** The authority holds the record already (code 3000). */
  duplicate: {
    state: 'accepted' | 'accepted_with_errors' | 'annulled';
    code: string | null;
    message: string | null;
  } | null;
};

export type SendResult =
  | {
      kind: 'answer';
      /** Null when no record was accepted. */
      csv: string | null;
      wait_seconds: number;
      lines: readonly AnswerLine[];
      raw: string;
    }
  /** Nothing was stored. `is_client`: the same message would be refused again. */
  | { kind: 'fault'; is_client: boolean; code: string | null; message: string; raw: string }
  /** No readable answer. The message may have been stored. */
  | { kind: 'no_answer'; message: string };

export type AuthorityPort = {
  isConfigured(environment: Environment): boolean;
  /** The service's own certificate, as a social collaborator. */
  serviceIdentity(environment: Environment): Promise<SendingIdentity | null>;
  hasServiceIdentity(environment: Environment): boolean;
  /** Never throws for what the other side does. */
  send(message: Message, identity: SendingIdentity): Promise<SendResult>;
  /** The text of the QR (Orden HAC/1177/2024, arts. 20 and 21). */
  qrUrl(
    environment: Environment,
    mode: 'verifactu' | 'no_verifactu',
    invoice: { tax_id: string; number: string; issued_on: string; total: string },
  ): string;
};

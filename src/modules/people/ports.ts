/** What pages for people use: surfaces know no module. */
import type { Caller, Tx } from '../../kernel/operation.ts';
import type { PreparedCompany } from '../companies/index.ts';
import type { Sql } from 'postgres';
import type { AccountEmail } from './mail/account-emails.ts';
import type { InSession } from './account/change-account.ts';
import type { AccountLog } from './account/account-log.ts';
import type { AccountMail } from './mail/account-mail.ts';
import type { Founded, Founding, Joined, Newcomer } from './members/join.ts';
import type { Link, LinkKind } from './links.ts';
import type { Membership } from './members/person-caller.ts';
import type { PasswordFault } from './rules/password.ts';
import type { Place, Session, SessionView } from './sign-in/sessions.ts';
import type { Factors } from './factors/factors.ts';
import type { PasskeyAnswer, PasskeyPage, Passkeys } from './factors/passkeys.ts';
import type { Proof, Refusal, SecondProof } from './sign-in/sign-in.ts';
import type { Language } from './users.store.ts';

/** All of it is on real time. */
export type PeoplePort = {
  /** Keys of 32 bytes for the fields that bind a form to its visitor: the first makes them, any is taken. */
  form_keys: readonly Buffer[];
  sessionOf(token: string): Promise<Session | undefined>;
  endSession(token: string): Promise<void>;
  /** @throws 503 service_unavailable */
  signIn(typed: Place & { email: string; password: string }): Promise<Proof>;
  /** @throws 503 service_unavailable */
  confirm(
    session: Session,
    token: string,
    typed: Place & ({ password: string; code: string } | { passkey: PasskeyAnswer; page: PasskeyPage }),
  ): Promise<{ token: string } | Refusal>;
  /** Whom a half sign-in is of; undefined when it is over. */
  halfOwner(half: string): string | undefined;
  finishSignIn(half: string, second: SecondProof, place: Place): Promise<Proof | { over: true }>;
  signInByPasskey(
    answer: PasskeyAnswer,
    page: PasskeyPage,
    place: Place,
  ): Promise<{ token: string } | Refusal>;
  factors: Factors;
  passkeys: Pick<Passkeys, 'isOffered' | 'creationOptions' | 'requestOptions'>;
  changeProfile(who: InSession, to: { name?: string; language?: Language }): Promise<void>;
  /**
   * Ends all other sessions, and gives this one another value.
   * @returns what is wrong with it; `gone` when the session ended meanwhile
   * @throws 503 service_unavailable
   */
  changePassword(
    session: Session,
    token: string,
    password: string,
  ): Promise<PasswordFault | 'gone' | { token: string }>;
  listSessions(user_id: string, this_id: string): Promise<SessionView[]>;
  endSessionById(who: InSession, id: string): Promise<boolean>;
  endOtherSessions(who: InSession): Promise<number>;
  /** A code of a second factor is about to be tried. @throws 429 too_many_auth_failures */
  spendCodeTry(user_id: string): Promise<void>;
  /** Whether the last proof is young enough for what matters. */
  isProved(session: Session): boolean;
  findLink(kind: LinkKind, token: string): Promise<(Link & { company_name: string | null }) | undefined>;
  isUsedLink(kind: LinkKind, token: string): Promise<boolean>;
  passwordFault(
    password: string,
    about: { email: string; name: string; company_name?: string },
  ): PasswordFault | null;
  /** Otherwise the list names what no company can have. */
  prepareCompany(typed: { name: string; tax_id: string }): PreparedCompany | ('company_name' | 'tax_id')[];
  /** @throws 503 service_unavailable */
  setUp(link: string, newcomer: Newcomer, company: PreparedCompany | string): Promise<Joined>;
  /** @throws 503 service_unavailable */
  acceptInvitation(link: string, typed: Omit<Newcomer, 'email'>): Promise<Joined>;
  /**
   * @returns `too_many` where they have a role in too many, `duplicate` where they have one of the same tax id
   * @throws 409 idempotency_key_reused
   */
  foundCompany(
    company: PreparedCompany,
    person: InSession & { name: string; ip: string; request_id: string },
    said: Founding,
  ): Promise<Founded>;
  /** Somebody signed in with the address of the invitation. @returns whether the link opens for them */
  joinByInvitation(
    link: string,
    person: { user_id: string; name: string; ip: string; request_id: string },
  ): Promise<boolean>;
  /**
   * @returns what is wrong with it, or whether the link still opened
   * @throws 503 service_unavailable
   */
  resetPassword(link: string, password: string): Promise<PasswordFault | 'done' | 'gone'>;
  /** Whether messages are sent, and whether strangers may make accounts (FOLIO_SIGN_UP). */
  features: { mail: boolean; sign_up: boolean };
  mail: AccountMail;
  account_log: AccountLog;
  invitationAddress(token: string): string;
  /**
   * @returns false where no mail is sent: the link is copied then. Where mail is sent, only the address sees it.
   * @throws 429 too_many_invitations, 503 service_unavailable
   */
  queueInvitation(
    sql: Sql,
    company_id: string,
    invitation: Omit<Extract<AccountEmail, { kind: 'invitation' }>, 'kind'>,
  ): Promise<boolean>;
  /**
   * The same for every address, known or not: whoever has it gets a message.
   * @throws 503 service_unavailable
   */
  askByMail(asked: {
    kind: 'forgotten' | 'sign_up';
    email: string;
    language: Language;
    ip: string;
  }): Promise<'sent' | { wait_seconds: number }>;
  /**
   * The end of `askByMail` for an account.
   * @throws 503 service_unavailable
   */
  signUp(link: string, typed: Omit<Newcomer, 'email'>, company: PreparedCompany): Promise<Joined>;
  /** Companies that a first owner may take over; none where there are many. */
  listCompanies(): Promise<{ company_id: string; name: string | null; tax_id: string | null }[]>;
  listMemberships(user_id: string): Promise<Membership[]>;
  emailOf(user_id: string): Promise<string>;
  /** As a caller with the scopes of their role; undefined where they have none, or there is no such company. */
  callerIn(
    person: Place & { user_id: string; name: string },
    company_id: string,
  ): Promise<Caller | undefined>;
  /**
   * What such a caller has lost since, asked in the transaction that acts (ADR 102). `role`: they have another one.
   * @param company_id of the transaction
   */
  lostBy(
    tx: Tx,
    company_id: string,
    who: { caller: Caller; session_id: string },
  ): Promise<'session' | 'member' | 'role' | null>;
};

declare module '../../kernel/ports.ts' {
  interface Ports {
    people: PeoplePort;
  }
}

/**
 * What a mail server's answers mean (RFC 5321, section 4.2.1). For the message or a recipient 5xx is final and 4xx is
 * not. A refusal of this service (greeting, TLS, login, sender) is the operator's to mend, and the message waits.
 */
import { isCertificateCode } from '../../kernel/certificate-codes.ts';
import type { MailOutcome, UnservedRecipient } from '../../modules/emails/index.ts';

export type SmtpFault = {
  message: string;
  code?: string | undefined;
  /** Of the system, where `code` is nodemailer's. */
  originalCode?: string | undefined;
  syscall?: string | undefined;
  command?: string | undefined;
  response?: string | undefined;
  responseCode?: number | undefined;
  recipient?: string | undefined;
  rejectedErrors?: readonly SmtpFault[] | undefined;
};

export type SmtpAccepted = {
  response: string;
  /** In nodemailer's spelling. */
  accepted: readonly unknown[];
  rejectedErrors?: readonly SmtpFault[] | undefined;
};

/** As the company wrote it, and in nodemailer's spelling. */
export type Recipient = { address: string; wire: string; is_international: boolean };

const answerMax = 500;

/** Faults before the message was judged. The company does not see the server's name. */
const faults: Record<string, string> = {
  ETIMEDOUT: 'El servidor de correo no ha respondido a tiempo.',
  EABORT: 'El servidor de correo no ha respondido a tiempo.',
  EDNS: 'No se encuentra el servidor de correo.',
  ETLS: 'No se ha podido cifrar la conexión con el servidor de correo.',
  ECERT: 'El certificado del servidor de correo no es válido.',
  EAUTH: 'El servidor de correo no admite la identificación del servicio.',
};
const unreachable = 'No se ha podido conectar con el servidor de correo.';
/** Nobody knows whether the message arrived: it is sent again with its Message-ID. */
const lost = 'El servidor de correo ha cortado la conexión.';

const noUtf8 = 'El servidor de correo no admite letras internacionales delante de la arroba (SMTPUTF8).';

/** On one line and short. */
function answerOf(response: string): string {
  return (
    response
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, answerMax)
      // PostgreSQL does not store half a character.
      .replace(/\p{Cs}$/u, '')
  );
}

/** 503 is a wrong state of the session; the others ask for another login (RFC 4954, section 6). */
const aboutSession: readonly number[] = [503, 530, 534, 535, 538];

/** The sender is the same for all messages. Only a refusal of the size is about this message. */
const isAboutSender = ({ command, responseCode = 0 }: SmtpFault): boolean =>
  command === 'MAIL FROM' && responseCode >= 500 && responseCode !== 552;

const isAboutUs = (fault: SmtpFault): boolean =>
  aboutSession.includes(fault.responseCode ?? 0) || isAboutSender(fault);

const isFinal = (fault: SmtpFault): boolean => {
  const { responseCode = 0 } = fault;
  return responseCode >= 500 && responseCode < 600 && !isAboutUs(fault);
};

/**
 * Some servers say so of recipients beyond those that they take at a time (RFC 5321, section 4.5.3.1.10). A mailbox that
 * is full has it too, mostly with a code of its own; without it is refused when it is tried alone.
 */
const isTooMany = ({ responseCode, response = '' }: SmtpFault): boolean =>
  responseCode === 552 && !/^552[ -]5\.[27]\./.test(response);

const isAboutMessage = ({ code }: SmtpFault): boolean => code === 'EENVELOPE' || code === 'EMESSAGE';

/** The mailer leaves nobody in the envelope then, and nodemailer sends nothing. */
const isWithoutUtf8 = ({ code, command }: SmtpFault): boolean => code === 'EENVELOPE' && command === 'API';

/** What could not be tried says what the attempt before it said. */
export function putOff(recipients: readonly Recipient[], { answer, fault }: MailOutcome): MailOutcome {
  const deferred = recipients.map(({ address }) => ({ address, answer }));
  return { accepted: [], refused: [], deferred, answer, fault };
}

/** Of two attempts at one message. */
export function joinOutcomes(first: MailOutcome, next: MailOutcome): MailOutcome {
  const is_next = first.accepted.length === 0 && next.accepted.length > 0;
  return {
    accepted: [...first.accepted, ...next.accepted],
    refused: [...first.refused, ...next.refused],
    deferred: [...first.deferred, ...next.deferred],
    answer: is_next ? next.answer : first.answer,
    fault: first.fault ?? next.fault,
  };
}

/** Some recipients may be refused even so. */
export function outcomeOfAccepted(
  recipients: readonly Recipient[],
  { response, accepted, rejectedErrors = [] }: SmtpAccepted,
): MailOutcome {
  const unserved = findUnserved(recipients, rejectedErrors, accepted);
  const missed = new Set([...unserved.refused, ...unserved.deferred].map((one) => one.address));
  return {
    ...unserved,
    accepted: recipients.map(({ address }) => address).filter((address) => !missed.has(address)),
    answer: answerOf(response),
    fault: null,
  };
}

export function outcomeOfFault(recipients: readonly Recipient[], fault: SmtpFault): MailOutcome {
  if (isWithoutUtf8(fault)) {
    const refused = recipients.map(({ address }) => ({ address, answer: noUtf8 }));
    return { accepted: [], refused, deferred: [], answer: noUtf8, fault: null };
  }
  const each = fault.rejectedErrors ?? [];
  if (each.length > 0 && !isAboutSender(fault)) {
    const answer = answerOf(each.at(-1)?.response ?? fault.message);
    const about_us = each.find(isAboutUs);
    const told = about_us ? wordsForOperator(about_us) : null;
    return { ...findUnserved(recipients, each, []), accepted: [], answer, fault: told };
  }
  const is_about_message = isAboutMessage(fault) && fault.response !== undefined;
  const answer = is_about_message ? answerOf(fault.response ?? '') : wordsOf(fault);
  const all = recipients.map(({ address }) => ({ address, answer }));
  const is_final = is_about_message && isFinal(fault);
  const is_operators = !is_about_message || isAboutUs(fault);
  return {
    accepted: [],
    refused: is_final ? all : [],
    deferred: is_final ? [] : all,
    answer,
    fault: is_operators ? wordsForOperator(fault) : null,
  };
}

/**
 * A recipient that nodemailer's answer does not name is identified by its position: both lists keep the same order.
 * @param accepted in nodemailer's spelling; when it is empty, nobody got the message
 */
function findUnserved(
  recipients: readonly Recipient[],
  errors: readonly SmtpFault[],
  accepted: readonly unknown[],
) {
  const refused: UnservedRecipient[] = [];
  const deferred: UnservedRecipient[] = [];
  const wires = new Set<unknown>(recipients.map(({ wire }) => wire));
  const others = errors.filter(({ recipient }) => !wires.has(recipient));
  for (const { address, wire } of recipients) {
    if (accepted.includes(wire)) continue;
    const error = errors.find((one) => one.recipient === wire) ?? others.shift();
    if (error) {
      const unserved = { address, answer: answerOf(error.response ?? error.message) };
      const is_for_now = accepted.length > 0 && isTooMany(error);
      (isFinal(error) && !is_for_now ? refused : deferred).push(unserved);
    } else if (accepted.length === 0) deferred.push({ address, answer: lost });
  }
  return { refused, deferred };
}

function wordsOf(fault: SmtpFault): string {
  const { code = '', command } = fault;
  const known = faults[tlsFaultOf(fault) ?? code];
  if (known !== undefined) return known;
  if (isCut(fault)) return lost;
  return command === undefined || command === 'CONN' ? unreachable : lost;
}

/** nodemailer tells a fault of TLS as one of the socket. */
function tlsFaultOf({ code, originalCode = '' }: SmtpFault): 'ETLS' | 'ECERT' | undefined {
  if (code !== 'ESOCKET') return undefined;
  if (originalCode.startsWith('ERR_SSL')) return 'ETLS';
  return isCertificateCode(originalCode) ? 'ECERT' : undefined;
}

/** The server was reached. nodemailer names the command CONN whenever a connection ends. */
function isCut({ code, originalCode = '', syscall }: SmtpFault): boolean {
  if (code === 'ECONNECTION') return true;
  return code === 'ESOCKET' && syscall !== 'connect' && ['ECONNRESET', 'EPIPE'].includes(originalCode);
}

const words = /[^\s<>"(),:;]+/g;
/** No address that we send to has a quoted name. */
const withoutPeople = (text: string) => text.replace(words, (word) => (word.includes('@') ? '…' : word));

/** For the log: without addresses of people, and without the server's answer to a login, which may quote the password. */
function wordsForOperator({ code, command, message, responseCode }: SmtpFault): string {
  const about = [code, command, responseCode].filter((part) => part !== undefined && part !== '').join(' ');
  return code === 'EAUTH' ? about : `${about}: ${answerOf(withoutPeople(message))}`;
}

/**
 * What a mail server's answers mean for each recipient (RFC 5321, section 4.2.1). An answer of 5xx to the message or a
 * recipient is final, one of 4xx passes. What a server says of us (greeting, TLS, login, the sender) says nothing of the
 * message: it passes once the operator has seen to it.
 */
import type { MailOutcome, UnservedRecipient } from '../../modules/emails/index.ts';

/** The errors of nodemailer, as far as they are read here. */
export type SmtpFault = {
  message: string;
  code?: string | undefined;
  command?: string | undefined;
  response?: string | undefined;
  responseCode?: number | undefined;
  recipient?: string | undefined;
  rejectedErrors?: readonly SmtpFault[] | undefined;
};

/** What the server took, where it took the message for somebody. */
export type SmtpAccepted = {
  response: string;
  /** Addresses, as the library spells them. */
  accepted: readonly unknown[];
  rejectedErrors?: readonly SmtpFault[] | undefined;
};

/** A recipient as the company wrote it, and as it goes over the wire. */
export type Recipient = { address: string; wire: string };

const answerMax = 500;

/** What went wrong on our side of the message, or before it; the server's name is the operator's. */
const faults: Record<string, string> = {
  ETIMEDOUT: 'El servidor de correo no ha respondido a tiempo.',
  EABORT: 'El servidor de correo no ha respondido a tiempo.',
  EDNS: 'No se encuentra el servidor de correo.',
  ETLS: 'No se ha podido cifrar la conexión con el servidor de correo.',
  EAUTH: 'El servidor de correo no admite la identificación del servicio.',
};
const unreachable = 'No se ha podido conectar con el servidor de correo.';
/** The message is gone and nobody knows where to: it is sent again, with its Message-ID. */
const lost = 'El servidor de correo ha cortado la conexión.';

/** An answer of the server on one line, as it came, of a bounded length. */
function answerOf(response: string): string {
  return (
    response
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, answerMax)
      // Half a character cannot be stored.
      .replace(/\p{Cs}$/u, '')
  );
}

/** 503: the session was in the wrong state; the others: it wants another login (RFC 4954, section 6). */
const aboutSession: readonly number[] = [503, 530, 534, 535, 538];

/** The sender is the operator's, and one for all messages: of this one, the server can only have said its size. */
const isAboutSender = ({ command, responseCode = 0 }: SmtpFault): boolean =>
  command === 'MAIL FROM' && responseCode >= 500 && responseCode !== 552;

const isAboutUs = (fault: SmtpFault): boolean =>
  aboutSession.includes(fault.responseCode ?? 0) || isAboutSender(fault);

const isFinal = (fault: SmtpFault): boolean => {
  const { responseCode = 0 } = fault;
  return responseCode >= 500 && responseCode < 600 && !isAboutUs(fault);
};

/** Whether the server spoke of the message or a recipient. */
const isAboutMessage = ({ code }: SmtpFault): boolean => code === 'EENVELOPE' || code === 'EMESSAGE';

/** The server took the message, perhaps not for all. */
export function outcomeOfAccepted(
  recipients: readonly Recipient[],
  { response, accepted, rejectedErrors = [] }: SmtpAccepted,
): MailOutcome {
  const unserved = split(recipients, rejectedErrors, accepted);
  const missed = new Set([...unserved.refused, ...unserved.deferred].map((one) => one.address));
  return {
    ...unserved,
    accepted: recipients.map(({ address }) => address).filter((address) => !missed.has(address)),
    answer: answerOf(response),
    fault: null,
  };
}

/** The server took it for nobody. */
export function outcomeOfFault(recipients: readonly Recipient[], fault: SmtpFault): MailOutcome {
  const each = fault.rejectedErrors ?? [];
  if (each.length > 0 && !isAboutSender(fault)) {
    const answer = answerOf(each.at(-1)?.response ?? fault.message);
    const about_us = each.find(isAboutUs);
    const told = about_us ? tellOperator(about_us) : null;
    return { ...split(recipients, each, []), accepted: [], answer, fault: told };
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
    fault: is_operators ? tellOperator(fault) : null,
  };
}

/**
 * Who is refused and who is put off. The library may spell an odd domain in its own way: who is called neither taken
 * nor refused by the name that it was given is told by the place among the rest, as both keep the order.
 * @param accepted those that the server took, as the library spells them; when there are none, nobody was served
 */
function split(recipients: readonly Recipient[], errors: readonly SmtpFault[], accepted: readonly unknown[]) {
  const refused: UnservedRecipient[] = [];
  const deferred: UnservedRecipient[] = [];
  const wires = new Set<unknown>(recipients.map(({ wire }) => wire));
  const others = errors.filter(({ recipient }) => !wires.has(recipient));
  for (const { address, wire } of recipients) {
    if (accepted.includes(wire)) continue;
    const error = errors.find((one) => one.recipient === wire) ?? others.shift();
    if (error) {
      const unserved = { address, answer: answerOf(error.response ?? error.message) };
      (isFinal(error) ? refused : deferred).push(unserved);
    } else if (accepted.length === 0) deferred.push({ address, answer: lost });
  }
  return { refused, deferred };
}

function wordsOf({ code = '', command }: SmtpFault): string {
  const known = faults[code];
  if (known !== undefined) return known;
  return command === undefined || command === 'CONN' ? unreachable : lost;
}

/** What the library says, without what the server answered to a login: it may quote what it was given. */
function tellOperator({ code, command, message, responseCode }: SmtpFault): string {
  const about = [code, command, responseCode].filter((part) => part !== undefined && part !== '').join(' ');
  return code === 'EAUTH' ? about : `${about}: ${answerOf(message)}`;
}

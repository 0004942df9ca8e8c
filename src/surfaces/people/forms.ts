/** Reads the forms of the pages, and draws their fields. */
import { canBeRead } from '../../kernel/readable-name.ts';
import type { FastifyReply } from 'fastify';
import { isEmailAddress } from '../../domain/email-address.ts';
import { checkSchema } from '../../kernel/check.ts';
import { html, type Html } from '../../kernel/html.ts';
import type { Ports } from '../../kernel/ports.ts';
import { Name } from '../../kernel/schema.ts';
import type { FaultName, FieldName, PeopleWords } from './words.ts';

const PersonName = Name(120, { minLength: 1 });

/** By name; the first of several. */
export type Form = { text(name: string): string; password: string };

export function readForm(body: unknown): Form {
  const sent = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
  const text = (name: string) => {
    const value = sent.get(name) ?? '';
    // No text of the database holds one.
    return value.includes('\0') ? '' : value.trim();
  };
  // Blanks at its ends are part of it.
  return { text, password: sent.get('password') ?? '' };
}

export type Faults = readonly FaultName[];

const fieldOf = (fault: FaultName): FieldName =>
  fault.startsWith('password') ? 'password' : (fault.replace('_taken', '') as FieldName);

type Control = {
  type: 'text' | 'email' | 'password';
  autocomplete: string;
  hint?: string;
  is_needed?: boolean;
};

export function field(
  words: PeopleWords,
  name: FieldName,
  { type, autocomplete, hint, is_needed = true }: Control,
  { typed = '', faults = [], label }: { typed?: string; faults?: Faults; label?: string } = {},
): Html {
  const fault = faults.find((one) => fieldOf(one) === name);
  const told = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${name}">${label ?? words.fields[name]}</label>
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
<input id="${name}" name="${name}" type="${type}" value="${typed}" autocomplete="${autocomplete}"${attribute('required', is_needed)}${attribute('aria-invalid', fault && 'true')}${attribute('aria-describedby', told)}${attribute('autocapitalize', type === 'text' ? false : 'none')}>
${fault && html`<span class="fault" id="${name}-fault">${words.faults[fault]}</span>`}</div>`;
}

function attribute(name: string, value: string | boolean | undefined): Html | '' {
  if (value === undefined || value === false || value === '') return '';
  return value === true ? html` ${name}` : html` ${name}="${value}"`;
}

/** What is wrong, above the form, with links to the fields. */
export function faultList(words: PeopleWords, faults: Faults): Html | null {
  if (faults.length === 0) return null;
  return html`<div class="refusal" role="alert"><p>${words.faults_title}</p><ul>${faults.map(
    (fault) => html`<li><a href="#${fieldOf(fault)}">${words.faults[fault]}</a></li>`,
  )}</ul></div>`;
}

export const alert = (text: string): Html => html`<div class="refusal" role="alert"><p>${text}</p></div>`;

export const hidden = (name: string, value: string | undefined): Html | null =>
  value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}">`;

/** Tells password managers whose password is typed. It is not sent. */
export const accountOf = (email: string): Html =>
  html`<input type="email" autocomplete="username" value="${email}" readonly hidden>`;

export const button = (text: string): Html =>
  html`<div class="actions"><button class="button" type="submit">${text}</button></div>`;

export function personFaults({ name, email }: { name: string; email: string }): FaultName[] {
  const is_name = checkSchema(PersonName, name).length === 0 && canBeRead(name);
  return [...(is_name ? [] : (['name'] as const)), ...(isEmailAddress(email) ? [] : (['email'] as const))];
}

export function passwordFaults(
  people: Pick<Ports['people'], 'passwordFault'>,
  password: string,
  about: { name: string; email: string; company_name: string },
): FaultName[] {
  const fault = people.passwordFault(password, about);
  return fault ? [`password_${fault}`] : [];
}

/** Status and text of a proof that failed. */
export function refusalOf(
  reply: FastifyReply,
  proof: { wrong: true } | { wait_seconds: number },
  wrong: string,
  too_many: (minutes: number) => string,
): [status: number, text: string] {
  if ('wrong' in proof) return [422, wrong];
  reply.header('Retry-After', String(proof.wait_seconds));
  return [429, too_many(Math.ceil(proof.wait_seconds / 60))];
}

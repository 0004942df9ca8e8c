/**
 * The part of an offer's page where it is answered. The law asks for the text by the button and for its label (TRLGDCU,
 * art. 98.2; LSSI, art. 27.1). It has no script: the browser and the service check the fields.
 */
import { dayText } from '../../domain/printing/days.ts';
import type { LabelledText, PrintedLanguage } from '../../domain/printing/printed-document.ts';
import { type Html, html } from '../../kernel/html.ts';
import type { Ports } from '../../kernel/ports.ts';
import type { FieldName, Typed } from './answer-form.ts';
import { type AnswerWords, answerWords } from './answer-words.ts';
import { languageQuery } from './languages.ts';

export type Answering = NonNullable<Awaited<ReturnType<Ports['answers'][string]['find']>>>;

/** Of the page that is shown: its address, what the others' begin with, and the language that was asked for. */
export type PagePlace = { page: string; base: string; asked: PrintedLanguage | undefined };

/** Why an answer was not taken. */
export type AnswerRefusal = 'changed' | 'closed' | readonly FieldName[];

export type AnswerPart = {
  answering: Answering;
  refusal?: AnswerRefusal;
  typed?: Typed;
};

type Shown = { language: PrintedLanguage; total: LabelledText };

/** @returns null when there is nothing to say */
export function answerPart(part: AnswerPart, place: PagePlace, { language, total }: Shown): Html | null {
  const words = answerWords[language];
  const { is_open, acceptance } = part.answering;
  if (!is_open && acceptance === null && part.refusal === undefined) return null;
  return html`<section class="answer" id="answer" aria-labelledby="answer-title">
<h2 id="answer-title">${words.title}</h2>
${refusalText(part, words)}
${accepted(part.answering, words, language)}
${is_open && forms(part, place, words, total)}
</section>`;
}

function refusalText({ refusal }: AnswerPart, words: AnswerWords): Html | null {
  if (refusal === undefined) return null;
  if (typeof refusal === 'string') return html`<p class="refusal" role="alert">${words[refusal]}</p>`;
  return html`<div class="refusal" role="alert"><p>${words.faulty}</p>
<ul>${refusal.map((name) => html`<li><a href="#${name}">${words.faults[name]}</a></li>`)}</ul></div>`;
}

function accepted(
  { acceptance, has_receipt }: Answering,
  words: AnswerWords,
  language: PrintedLanguage,
): Html | null {
  if (acceptance === null) return null;
  const at = `${dayText(acceptance.day, language)}, ${acceptance.time}`;
  return html`<dl class="rows accepted">
<div><dt>${words.accepted_at}</dt><dd>${at}</dd></div>
${acceptance.name !== null && html`<div><dt>${words.accepted_by}</dt><dd>${acceptance.name}</dd></div>`}
</dl>
<p>${words.keep}</p>
${has_receipt && html`<p>${words.receipt}</p>`}`;
}

function forms(
  { answering, typed = {}, refusal }: AnswerPart,
  { base, asked }: PagePlace,
  words: AnswerWords,
  total: LabelledText,
): Html {
  const query = languageQuery(asked);
  const faults = typeof refusal === 'object' ? refusal : [];
  const { version, sends_receipt } = answering;
  const { email } = words.labels;
  const labels = { ...words.labels, email: sends_receipt ? words.email_for_receipt : email };
  const steps = sends_receipt ? words.steps : words.steps_without_receipt;
  const field = fieldOf({ ...words, labels }, typed, faults);
  return html`<form method="post" action="${base}accept${query}#answer">
<h3>${words.accept_title}</h3>
<ul class="terms">${[steps, ...words.terms].map((text) => html`<li>${text}</li>`)}</ul>
<input type="hidden" name="version" value="${version}">
${field('name', { max: 120, autocomplete: 'name', is_required: true })}
${field('email', { max: 254, autocomplete: 'email', is_required: true, type: 'email' })}
${field('tax_id', { max: 20 })}
${field('note', { max: 500, is_long: true })}
<div class="field tick"><input type="checkbox" id="agree" name="agree" value="yes" required${invalid('agree', faults)}> <label for="agree">${words.labels.agree}</label>${fault('agree', words, faults)}</div>
${total.label !== '' && html`<p class="due"><span>${total.label}</span> <strong>${total.text}</strong></p>`}
<p><button class="button">${words.accept}</button></p>
</form>
<form method="post" action="${base}reject${query}#answer">
<h3>${words.reject_title}</h3>
${field('reason', { max: 500, is_long: true })}
<p><button class="button plain">${words.reject}</button></p>
</form>`;
}

type FieldSpec = {
  max: number;
  type?: 'email';
  autocomplete?: 'name' | 'email';
  is_required?: boolean;
  is_long?: boolean;
};

function fieldOf(words: AnswerWords, typed: Typed, faults: readonly FieldName[]) {
  return (name: Exclude<FieldName, 'agree'>, spec: FieldSpec): Html => {
    const { max, type = 'text', autocomplete = 'off', is_required = false, is_long = false } = spec;
    const value = typed[name] ?? '';
    const shared = html` id="${name}" name="${name}" maxlength="${max}" autocomplete="${autocomplete}"${is_required && html` required`}${invalid(name, faults)}`;
    return html`<div class="field"><label for="${name}">${words.labels[name]}${!is_required && html` <span class="soft">${words.optional}</span>`}</label>
${
  // A text area loses a line end at its beginning.
  is_long
    ? html`<textarea${shared} rows="3">${'\n'}${value}</textarea>`
    : html`<input type="${type}"${shared} value="${value}">`
}${fault(name, words, faults)}</div>`;
  };
}

const invalid = (name: FieldName, faults: readonly FieldName[]): Html | false =>
  faults.includes(name) && html` aria-invalid="true" aria-describedby="${name}-fault"`;

const fault = (name: FieldName, words: AnswerWords, faults: readonly FieldName[]): Html | false =>
  faults.includes(name) && html`<span class="fault" id="${name}-fault">${words.faults[name]}</span>`;

/**
 * The page of a document: the texts of the PDF, and how the document stands today. It loads nothing else. All of it is read
 * without script; a short one copies an account's number.
 */
import type { LabelledText, PrintedDocument, PrintedParty } from '../../domain/printing/printed-document.ts';
import { sandboxMark } from '../../domain/printing/prescribed.ts';
import type { Standing } from '../../domain/printing/standing.ts';
import { type Transfer, transferText } from '../../domain/printing/transfer.ts';
import { printedWords } from '../../domain/printing/words.ts';
import { type Html, html } from '../../kernel/html.ts';
import { runSteps, type Steps } from '../../kernel/steps.ts';
import { type AnswerPart, answerPart, type PagePlace } from './answer-page.ts';
import { answerWords } from './answer-words.ts';
import { copyButton, copyScript } from './copy-button.ts';
import { type Page, page } from './frame.ts';
import { languageSwitch } from './languages.ts';
import { qrSvg } from './qr-svg.ts';
import { pageWords } from './words.ts';

/** `standing` is null when nothing has changed since the issue. */
type Shown = {
  document: PrintedDocument;
  standing: Standing | null;
  transfer: Transfer | null;
  contact_links: ReadonlyMap<string, string>;
};

/** Between its lines others may have their turn: five hundred of 1,000 quotation marks are three megabytes. */
export function* documentPage(shown: Shown, place: PagePlace, part?: AnswerPart): Steps<Page> {
  const { document, standing } = shown;
  const payment = paymentPart(shown);
  const words = pageWords[document.language];
  const { issuer } = document;
  const is_open = part?.answering.is_open === true;
  const sold = yield* lines(document, words.lines);
  return page({
    has_forms: is_open,
    language: document.language,
    title: `${document.file_title} · ${issuer.commercial_name ?? issuer.name}`,
    colour: document.colour,
    // Without amounts: a messenger shows it to whoever looks at the screen.
    is_shared: true,
    ...(payment?.has_copy ? { script: copyScript } : {}),
    header: html`<p class="from">${issuer.commercial_name ?? issuer.name}</p>
${is_open && html`<a class="button" href="#answer">${answerWords[document.language].jump}</a>`}
<a class="${is_open ? 'button plain' : 'button'}" href="${place.base}pdf" download>${words.download}</a>`,
    main: html`<article class="paper" aria-labelledby="title">
${document.marks.map((mark) => html`<p class="mark" data-text="${mark}"${mark === sandboxMark && lang('es')}>${mark}</p>`)}
${head(document, standing)}
<div class="parties">${party(issuer, shown.contact_links)}${document.recipient && party(document.recipient)}</div>
${sold}
${amounts(document, standing)}
${payment?.text}
${closing(document)}
</article>
${part && answerPart(part, place, document)}`,
    footer: html`${languageSwitch(document.language, place.page)}
<p>${words.privacy}</p>`,
  });
}

const lang = (language: string) => html` lang="${language}"`;

const isSettled = (standing: Standing | null) =>
  standing !== null && !['open', 'overdue', 'told'].includes(standing.state);

function head(document: PrintedDocument, standing: Standing | null): Html {
  const { logo, title, number, facts } = document;
  const due = dueDay(document, standing);
  return html`<header class="head">
<div>
${logo && html`<p class="logo"><img src="data:${logo.media_type};base64,${logo.base64}" alt="${logo.alternative_text}"></p>`}
<h1 id="title"><span class="kind">${title}</span>${number !== null && html` <span class="number">${number}</span>`}</h1>
${amountLeft(document, standing, due)}
${standing && standingLines(standing, document)}
</div>
${qr(document)}
${factList(
  facts.filter((fact) => fact.text !== number && fact !== due),
  'facts',
  pastDue(document, standing),
)}
</header>`;
}

/** The fact that stands beside the amount; null when nothing is to be paid. */
function dueDay({ language, facts, total }: PrintedDocument, standing: Standing | null): LabelledText | null {
  if (isSettled(standing) || standing?.state === 'told' || total.label === '') return null;
  return facts.find(({ label }) => label === printedWords[language].due_on) ?? null;
}

/** What is left to pay and when, or the total when nothing is. */
function amountLeft(
  { language, total, amount_due }: PrintedDocument,
  standing: Standing | null,
  due: LabelledText | null,
): Html | null {
  const printed = isSettled(standing) ? total : (amount_due ?? total);
  const { label, text } = standing?.pending
    ? { label: pageWords[language].pending, text: standing.pending }
    : printed;
  if (label === '') return null;
  const is_late = standing?.state === 'overdue';
  return html`<div class="left"><p class="due"><span>${label}</span> <strong>${text}</strong></p>
${due && html`<p class="due"><span>${due.label}</span> <strong>${due.text}</strong>${is_late && html` <span class="remark">${pageWords[language].past_due}</span>`}</p>`}</div>`;
}

function standingLines(
  { state, text, changes, pending, owed }: Standing,
  { language }: PrintedDocument,
): Html | null {
  const words = pageWords[language];
  const said = changes.map(({ label, text }) => html`<span>${label}: ${text}</span> `);
  const to_client = owed !== undefined && html`<span>${words.owed}: ${owed}</span>`;
  if (state === 'told') return html`<p class="standing">${text}</p>`;
  if (state === 'paid')
    return html`<p class="standing paid">${words.paid}</p>${to_client && html`<p class="changes">${to_client}</p>`}`;
  if (state === 'open' || state === 'overdue')
    return pending === null && owed === undefined ? null : html`<p class="changes">${said}${to_client}</p>`;
  return html`<p class="standing">${words[state]}</p><p class="changes">${words.nothing_to_pay}${to_client && html` ${to_client}`}</p>`;
}

/** Stands beside the row with this label. */
type Remark = { label: string; text: string };

function pastDue({ language }: PrintedDocument, standing: Standing | null): Remark | null {
  return standing?.state === 'overdue'
    ? { label: printedWords[language].due_on, text: pageWords[language].past_due }
    : null;
}

function qr({ qr, language }: PrintedDocument): Html | null {
  if (qr === null) return null;
  const words = pageWords[language];
  return html`<div class="check">
<p${lang('es')}>${qr.above}</p>
${qrSvg(qr.url, words.qr)}
${qr.below !== null && html`<p${lang('es')}>${qr.below}</p>`}
<p class="to-check"><a href="${qr.url}" rel="noreferrer noopener">${words.check}</a></p>
</div>`;
}

function party(
  { label, name, commercial_name, tax_id, address_lines, contact }: PrintedParty,
  links: ReadonlyMap<string, string> = new Map(),
): Html {
  const linked = (text: string) => {
    const address = links.get(text);
    return address === undefined ? text : html`<a href="${address}" rel="noreferrer noopener">${text}</a>`;
  };
  return html`<section class="party">
<h2>${label}</h2>
<p class="name">${name}</p>
${commercial_name !== null && commercial_name !== name && html`<p>${commercial_name}</p>`}
${tax_id && html`<p>${tax_id.label} ${tax_id.text}</p>`}
${address_lines.map((text) => html`<p>${text}</p>`)}
${contact.map((text) => html`<p>${linked(text)}</p>`)}
</section>`;
}

/** A table whose rows become cards on a telephone. Cards lose the roles of a table, so they are written out. */
type Table = {
  name: string;
  /** Its figures are so long that every screen shows cards. */
  is_long: boolean;
  /** The id of its heading; without one it has a caption for screen readers. */
  labelled_by?: string;
  caption?: string;
  columns: readonly { name: string; label: string }[];
  /** By column. The first column heads the row. */
  rows: readonly (() => Readonly<Record<string, Html | string>>)[];
};

function* table({ name, is_long, labelled_by, caption, columns, rows }: Table): Steps<Html> {
  const [first, ...rest] = columns;
  const drawn: Html[] = [];
  for (const draw of rows) {
    const row = draw();
    drawn.push(html`<tr role="row"><th role="rowheader" scope="row" class="${first!.name}">${row[first!.name]}</th>${rest.map((column) => html`<td role="cell" class="${column.name}" data-label="${column.label}">${row[column.name]}</td>`)}</tr>
`);
    yield;
  }
  return html`<table class="${is_long ? name : `${name} table`}" role="table"${labelled_by && html` aria-labelledby="${labelled_by}"`}>
${caption && html`<caption class="unseen">${caption}</caption>`}
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th role="columnheader" scope="col" class="${column.name}">${column.label}</th>`)}</tr></thead>
<tbody role="rowgroup">
${drawn}</tbody>
</table>`;
}

function filled<Name extends string>(
  names: readonly Name[],
  labels: Readonly<Record<Name, string>>,
  rows: readonly Readonly<Record<Name, string | null>>[],
): { name: Name; label: string }[] {
  return names
    .filter((name) => rows.some((row) => (row[name] ?? '') !== ''))
    .map((name) => ({ name, label: labels[name] }));
}

/** Longer texts leave no room for the description, or for the breakdown beside the sums. */
const figureMax = 14;
const taxMax = 18;
const unitMax = 12;

function lines({ lines, column_labels: labels }: PrintedDocument, caption: string): Steps<Html> {
  const names = ['quantity', 'unit_price', 'discount', 'tax', 'amount'] as const;
  return table({
    name: 'lines',
    is_long: lines.some(
      (line) =>
        line.unit_price.length > figureMax ||
        line.amount.length > figureMax ||
        line.tax.length > taxMax ||
        (line.unit ?? '').length > unitMax,
    ),
    caption,
    columns: [{ name: 'description', label: labels.description }, ...filled(names, labels, lines)],
    rows: lines.map((line) => () => ({
      description: html`${line.heading !== undefined && html`<strong class="heading">${line.heading}</strong><br>`}${line.description}${line.details.map((text) => html`<small>${text}</small>`)}`,
      quantity: html`${line.quantity}${line.unit !== null && html` <span class="unit">${line.unit}</span>`}`,
      unit_price: line.unit_price,
      discount: line.discount ?? '',
      tax: line.tax,
      amount: line.amount,
    })),
  });
}

/** Null for a document without prices. */
function amounts(document: PrintedDocument, standing: Standing | null): Html | null {
  const { title, column_labels: labels, rows } = document.breakdown;
  const names = ['base', 'rate', 'tax', 'surcharge_rate', 'surcharge'] as const;
  const columns = filled(names, labels, rows);
  const is_wide = columns.length > 3 || rows.some((row) => row.base.length > figureMax);
  const breakdown =
    rows.length > 0 &&
    html`<section class="breakdown">
<h2 id="breakdown">${title}</h2>
${runSteps(
  table({
    name: 'taxes',
    is_long: false,
    labelled_by: 'breakdown',
    columns: [{ name: 'label', label: labels.label }, ...columns],
    rows: rows.map((row) => () => ({
      label: row.label,
      base: row.base,
      rate: row.rate,
      tax: row.tax,
      surcharge_rate: row.surcharge_rate ?? '',
      surcharge: row.surcharge ?? '',
    })),
  }),
)}
</section>`;
  const summed = sums(document, standing);
  if (!breakdown && summed === null) return null;
  return html`<div class="${is_wide ? 'amounts wide' : 'amounts'}">${breakdown}${summed}</div>`;
}

function sums(
  { language, sums, total, retention, amount_due }: PrintedDocument,
  standing: Standing | null,
): Html | null {
  if (total.label === '') return null;
  const row = ({ label, text }: LabelledText, name = '') =>
    html`<div class="${name}"><dt>${label}</dt><dd>${text}</dd></div>`;
  return html`<dl class="sums">
${sums.map((sum) => row(sum))}
${row(total, 'total')}
${retention && row(retention)}
${amount_due && row(amount_due, standing?.pending || isSettled(standing) ? '' : 'total')}
${standing?.changes.map((change) => row(change))}
${standing?.pending && row({ label: pageWords[language].pending, text: standing.pending }, 'total')}
${standing?.owed && row({ label: pageWords[language].owed, text: standing.owed }, 'total')}
</dl>`;
}

/** How to pay: the account can be copied, and a bank's app reads the transfer. */
function paymentPart({ document, standing, transfer }: Shown): { text: Html; has_copy: boolean } | null {
  const { payment } = standing ?? document;
  if (payment === null) return null;
  const { language } = document;
  const words = pageWords[language];
  const asked = transfer && transferText(transfer);
  const account = payment.rows.find(({ label }) => label === printedWords[language].iban);
  const iban = account?.text.replace(/\s/g, '');
  const beside = (row: LabelledText) => row === account && html` ${copyButton(iban!, language)}`;
  const text = html`<section class="payment"><h2>${payment.title}</h2>${factList(payment.rows, 'rows', pastDue(document, standing), beside)}
${asked && html`<div class="transfer">${qrSvg(asked, words.transfer)}<p>${words.transfer}</p></div>`}</section>`;
  return { text, has_copy: account !== undefined };
}

function closing({ notes, mentions, registry_data, signature }: PrintedDocument): Html {
  return html`${notes && html`<section class="notes"><h2>${notes.title}</h2><p>${notes.text}</p></section>`}
${mentions.length > 0 && html`<ul class="mentions">${mentions.map((text) => html`<li>${text}</li>`)}</ul>`}
${signature && html`<section class="payment"><h2>${signature.title}</h2>${factList(signature.rows, 'rows')}${signature.image && html`<p class="logo"><img src="data:${signature.image.media_type};base64,${signature.image.base64}" alt="${signature.title}"></p>`}</section>`}
${registry_data && html`<p class="registry">${registry_data}</p>`}`;
}

/** Longer texts have a row of their own. */
const shortMax = 40;

function factList(
  rows: readonly LabelledText[],
  name: string,
  remark: Remark | null = null,
  beside: (row: LabelledText) => Html | false = () => false,
): Html | null {
  if (rows.length === 0) return null;
  const remarkOf = (label: string) =>
    label === remark?.label && html` <span class="remark">${remark.text}</span>`;
  return html`<dl class="${name}">${rows.map((row) => html`<div class="${row.text.length > shortMax && 'long'}"><dt>${row.label}</dt><dd><span class="said">${row.text}</span>${remarkOf(row.label)}${beside(row)}</dd></div>`)}</dl>`;
}

/** Table rows become cards on a telephone. The fonts are the reader's own. */
import { darkPaper, lightPaper, type PageColours } from '../../domain/printing/colours.ts';

export function styleOf({ brand, on_brand, ink_on_light, ink_on_dark }: PageColours): string {
  return `:root{--brand:${brand};--on-brand:${on_brand};--brand-ink:${ink_on_light};--paper:${lightPaper};}
@media screen and (prefers-color-scheme:dark){:root{--brand-ink:${ink_on_dark};--paper:${darkPaper};}}${rules}`;
}

const rules = `
:root { color-scheme: light dark; --desk: #eff1f3; --ink: #1a1f26; --soft: #56606c; --line: #dde1e6; --tint: #f4f6f8; --warn: #9f1239; --warn-tint: #fdf0f2; --good: #14532d; --good-tint: #e6f4ea; }
@media screen and (prefers-color-scheme: dark) { :root { --desk: #101215; --ink: #e8eaed; --soft: #a5adb7; --line: #343940; --tint: #22262c; --warn: #ffb0be; --warn-tint: #3a1b22; --good: #a7e0b8; --good-tint: #173323; } .logo img { background: #fff; padding: .4rem; border-radius: 6px; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--desk); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h1, h2, p, dl, dd, ul, table { margin: 0; padding: 0; }
a { color: var(--brand-ink); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--brand-ink); outline-offset: 3px; border-radius: 4px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.bar { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; max-width: 56rem; margin: 0 auto; padding: .75rem 1rem; }
.bar .from { font-weight: 600; flex: 1 1 8rem; }
.button { display: inline-block; padding: .55rem 1.1rem; min-height: 2.75rem; border: 1px solid var(--brand-ink); border-radius: 8px; background: var(--brand); color: var(--on-brand); font-weight: 600; text-decoration: none; }
.button:hover { text-decoration: underline; }
.bar:has(.plain) .from { flex-basis: 100%; }

main { max-width: 56rem; margin: 0 auto; padding: 0 0 1rem; }
.paper { background: var(--paper); border-top: 6px solid var(--brand); padding: 1.25rem 1rem 2rem; box-shadow: 0 1px 2px rgb(0 0 0 / .08), 0 8px 30px rgb(0 0 0 / .06); }
.mark { position: sticky; top: 0; z-index: 1; margin: -1.25rem -1rem 1.25rem; padding: .5rem 1rem; background: var(--warn-tint); color: var(--warn); border-bottom: 1px solid currentColor; text-align: center; font-weight: 700; letter-spacing: .06em; }
.mark + .mark { margin-top: -1.25rem; position: static; }

/* Where a sum leaves no room beside it, the QR stands below. */
.head { display: flex; flex-wrap: wrap; gap: 1.25rem 1rem; align-items: flex-start; }
.head > :first-child { flex: 1 1 0; min-width: min-content; max-width: 100%; }
.logo img { display: block; max-width: min(100%, 15rem); max-height: 4.5rem; }
.logo { margin-bottom: 1.25rem; }
h1 { line-height: 1.15; letter-spacing: -.015em; }
.kind { display: block; font-size: 1rem; font-weight: 600; letter-spacing: 0; color: var(--brand-ink); margin-bottom: .2rem; }
.number { display: block; font-size: clamp(1.2rem, .85rem + 2.4vw, 2rem); }
.due { margin-top: 1rem; }
.left { display: flex; flex-wrap: wrap; gap: 0 2rem; }
.due span:first-child { display: block; color: var(--soft); font-size: .875rem; }
.due strong { font-size: 1.35rem; white-space: nowrap; }
.standing { width: fit-content; margin-top: .5rem; padding: .2rem .7rem; border-radius: 8px; background: var(--tint); font-weight: 600; }
.paid { background: var(--good-tint); color: var(--good); }
.paid::before { content: "✓ " / ""; }
.changes { margin-top: .35rem; color: var(--soft); font-size: .875rem; }
.changes span { display: inline-block; margin-right: .75rem; }
.remark { display: inline-block; color: var(--warn); font-weight: 600; user-select: none; }
.check { width: 34mm; text-align: center; font-size: .75rem; line-height: 1.3; }
.qr { display: block; width: 100%; height: auto; margin: .25rem 0; border-radius: 2px; }
.to-check { margin-top: .35rem; }
.to-check a { display: inline-block; padding: .25rem 0; }
.facts { flex: 1 0 100%; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr)); gap: .9rem 1.25rem; padding: 1rem 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
dt { color: var(--soft); font-size: .875rem; }
.facts dd { font-weight: 600; }
.facts .long { grid-column: 1 / -1; }

h2 { font-size: .875rem; font-weight: 600; color: var(--brand-ink); margin-bottom: .3rem; }
.parties { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: 1.25rem 2rem; margin: 1.5rem 0; }
.name { font-weight: 600; }

table { display: block; width: 100%; border-collapse: collapse; }
thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
tbody { display: block; }
tr { display: flex; flex-wrap: wrap; gap: .1rem 1rem; align-items: baseline; padding: .75rem 0; border-bottom: 1px solid var(--line); }
th, td { padding: 0; }
th { text-align: left; font-weight: 600; }
tbody th { flex: 1 1 100%; font-weight: 400; white-space: pre-line; }
td { display: block; color: var(--soft); font-size: .875rem; }
td::before { content: attr(data-label) " "; }
td:empty { display: none; }
small { display: block; color: var(--soft); font-size: .875rem; }
.lines { border-top: 2px solid var(--brand-ink); }
td.amount { margin-left: auto; color: var(--ink); font-size: 1rem; font-weight: 600; }
td.amount::before { content: none; }

.amounts { display: grid; gap: 1.5rem 2.5rem; margin-top: 1.5rem; }
.breakdown { min-width: 0; order: 2; }
.taxes tr { padding: .5rem 0; }
.sums div, .rows div { display: flex; flex-wrap: wrap; gap: 0 1.5rem; justify-content: space-between; align-items: baseline; padding: .3rem 0; }
.sums dt { font-size: 1rem; }
.sums dd, .rows dd { margin-left: auto; text-align: right; }
.sums .total { padding: .55rem .75rem; margin: .35rem -.75rem; background: var(--tint); border-radius: 8px; font-weight: 700; font-size: 1.15rem; }
.sums .total dt { color: var(--ink); font-size: inherit; }

.answer { background: var(--paper); margin-top: 1rem; padding: 1.25rem 1rem 2rem; scroll-margin-top: 3rem; box-shadow: 0 1px 2px rgb(0 0 0 / .08), 0 8px 30px rgb(0 0 0 / .06); }
.answer h2 { font-size: 1.25rem; color: var(--ink); margin-bottom: .5rem; }
.answer h3 { margin: 0 0 .5rem; font-size: 1.05rem; }
.answer p { margin: .5rem 0; }
.answer form { border-top: 1px solid var(--line); margin-top: 1rem; padding-top: 1.25rem; }
.refusal { padding: .75rem 1rem; border-radius: 8px; background: var(--warn-tint); color: var(--warn); font-weight: 600; }
.refusal p { margin: 0; }
.refusal ul { padding-left: 1.25rem; }
.refusal a { color: inherit; }
.answer .due { margin-top: 1.25rem; }
.field { margin-top: 1rem; max-width: 30rem; }
.field label { font-weight: 600; }
.field .soft { color: var(--soft); font-weight: 400; }
.field :is(input, textarea) { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: 8px; padding: .55rem .75rem; }
.field :is(input:not([type="checkbox"]), textarea) { display: block; width: 100%; min-height: 2.75rem; margin-top: .25rem; }
.field [aria-invalid] { border-color: var(--warn); border-width: 2px; }
.tick { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 .75rem; align-items: start; }
.tick input { width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--brand-ink); }
.fault { display: block; color: var(--warn); font-weight: 600; margin-top: .25rem; }
.tick .fault { grid-column: 2; }
button.button { font: inherit; font-weight: 600; cursor: pointer; margin-top: .75rem; }
.button.plain { background: var(--paper); color: var(--brand-ink); }
.terms { padding-left: 1.25rem; color: var(--soft); font-size: .875rem; }
.terms li + li { margin-top: .35rem; }

.payment, .notes, .mentions { margin-top: 1.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.rows .said { user-select: all; }
.copy { font: inherit; font-size: .875rem; font-weight: 600; cursor: pointer; margin-left: .5rem; padding: .2rem .7rem; min-height: 2rem; border: 1px solid var(--soft); border-radius: 8px; background: var(--paper); color: var(--brand-ink); }
.copy[hidden] { display: none; }
.transfer { display: flex; gap: 1rem; align-items: center; margin-top: 1.25rem; color: var(--soft); font-size: .875rem; }
.transfer .qr { width: 9.5rem; flex: none; }
.transfer p { max-width: 22rem; }
.notes p { white-space: pre-line; }
.mentions { list-style: none; color: var(--soft); font-size: .875rem; white-space: pre-line; }
.registry { margin-top: 1.75rem; color: var(--soft); font-size: .8125rem; }
.mentions li + li { margin-top: .35rem; }
.languages ul { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; margin-bottom: .75rem; }
.languages a { display: inline-block; padding: .35rem 0; color: inherit; }
.languages [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
footer { max-width: 56rem; margin: 0 auto; padding: 0 1rem 2rem; color: var(--soft); font-size: .875rem; }

.notice { max-width: 36rem; margin: 15vh 1rem 0; padding: 2rem 1.5rem 2.25rem; background: var(--paper); border-top: 6px solid var(--brand); border-radius: 4px; box-shadow: 0 1px 2px rgb(0 0 0 / .08), 0 8px 30px rgb(0 0 0 / .06); }
.notice h1 { font-size: clamp(1.4rem, 1.1rem + 1.4vw, 1.8rem); margin-bottom: .6rem; text-wrap: balance; }
.notice p { color: var(--soft); font-size: 1.1rem; }

@media (min-width: 54rem) {
  .bar { padding: 1.25rem 1rem; }
  .bar:has(.plain) .from { flex-basis: 8rem; }
  main { padding: 0 1rem 1rem; }
  .paper { padding: 2.5rem 3rem 3rem; border-radius: 4px; }
  .answer { padding: 2rem 3rem 2.5rem; border-radius: 4px; }
  .notice { margin: 18vh auto 0; padding: 2.5rem 3rem 2.75rem; }
  .mark { margin: -2.5rem -3rem 2rem; }
  .mark + .mark { margin-top: -2rem; }
  .check { width: 38mm; }
}
@media print, (min-width: 54rem) {
  .table { display: table; }
  .table thead { display: table-header-group; position: static; clip-path: none; }
  .table tbody { display: table-row-group; }
  .table tr { display: table-row; }
  .table :is(th, td) { display: table-cell; padding: .55rem 0 .55rem 1rem; border-bottom: 1px solid var(--line); vertical-align: top; text-align: right; white-space: nowrap; color: var(--ink); font-size: .9375rem; }
  .table th:first-child { padding-left: 0; text-align: left; white-space: pre-line; }
  .table thead th { color: var(--soft); font-size: .875rem; font-weight: 600; white-space: normal; overflow-wrap: normal; vertical-align: bottom; }
  .table td::before { content: none; }
  .table .description { width: 100%; min-width: 12rem; }
  .table td.quantity { white-space: normal; overflow-wrap: normal; }
  .taxes.table :is(th, td) { padding: .4rem 0 .4rem .75rem; font-size: .875rem; }
  .taxes.table th:first-child { padding-left: 0; }
  .rows div { justify-content: start; }
  .rows dt { flex: 0 0 9rem; }
  .rows dd { flex: 1; margin-left: 0; text-align: left; }
  .amounts { grid-template-columns: minmax(0, 1fr) 20rem; align-items: start; }
  .breakdown { order: 0; }
  .sums { grid-column: 2; }
  .wide { display: block; }
  .wide .sums { width: 20rem; margin: 1.5rem 0 0 auto; }
}
@media print {
  :root { color-scheme: light; }
  @page { size: A4; margin: 15mm; }
  html { font-size: 12px; }
  body { background: none; font-size: 1rem; }
  .bar, footer, .to-check, .copy, .answer:has(form) { display: none; }
  .answer { padding: 0; box-shadow: none; break-inside: avoid; }
  main { max-width: none; padding: 0; }
  .paper { padding: 0; box-shadow: none; border-top: 0; }
  .mark { position: static; margin: 0 0 5mm; border: 1px solid; }
  .mark::after { content: attr(data-text); position: fixed; top: 45%; left: 0; width: 100%; transform: rotate(-35deg); opacity: .15; font-size: 4.5rem; white-space: nowrap; }
  /* The symbol itself, without its white border, is then 34 to 37 mm; the rules allow 30 to 40. */
  .check { width: 41mm; }
  tr, .sums, .party, .payment, .check { break-inside: avoid; }
  .transfer .qr { width: 30mm; }
  a { color: inherit; text-decoration: none; }
}
`;

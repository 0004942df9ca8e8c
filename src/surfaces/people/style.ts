/** The same paper and colours as the public pages have without a company's own. */
import { pageColours } from '../../domain/printing/colours.ts';
import { styleOf } from '../public/style.ts';

export const peopleStyle = `${styleOf(pageColours(null))}
.card { max-width: 32rem; margin: 8vh auto 0; padding: 2rem 1.5rem 2.25rem; background: var(--paper); border-top: 6px solid var(--brand); border-radius: 4px; box-shadow: 0 1px 2px rgb(0 0 0 / .08), 0 8px 30px rgb(0 0 0 / .06); }
.card.wide-card { max-width: 44rem; }
.card h1 { font-size: clamp(1.4rem, 1.1rem + 1.4vw, 1.8rem); margin-bottom: .6rem; text-wrap: balance; }
.card h2 { font-size: 1.1rem; color: var(--ink); margin: 1.5rem 0 .4rem; }
.card p { margin: .5rem 0; }
.card ul { padding-left: 1.25rem; }
.card li + li { margin-top: .35rem; }
.card fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 1.25rem 0 0; padding: .75rem 1rem 1rem; min-width: 0; }
.card legend { font-weight: 600; padding: 0 .35rem; }
.field :is(input, select) { max-width: 100%; }
.field select { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: 8px; padding: .55rem .75rem; display: block; width: 100%; min-height: 2.75rem; margin-top: .25rem; }
.hint { display: block; color: var(--soft); font-size: .875rem; font-weight: 400; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin-top: 1rem; }
.told { padding: .75rem 1rem; border-radius: 8px; background: var(--good-tint); color: var(--good); font-weight: 600; }
code, pre { font-family: ui-monospace, "Cascadia Mono", "Liberation Mono", monospace; font-size: .875rem; }
pre { background: var(--tint); border-radius: 8px; padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; }
[hidden] { display: none; }
.scopes ul { list-style: none; padding: 0; }
.card fieldset + p { margin-top: 1.25rem; }
.card .rows div { justify-content: start; }
.card .rows dt { flex: 1 0 100%; }
.card .rows dd { margin-left: 0; text-align: left; }
.scopes label { display: flex; align-items: start; gap: .6rem; padding: .25rem 0; }
.scopes li:has(:disabled) label { color: var(--soft); }
.scopes .hint { margin-inline-start: 1.85rem; }
.scopes input { flex: none; inline-size: 1.25rem; block-size: 1.25rem; margin: .125rem 0 0; }
@media screen and (prefers-color-scheme: dark) { .card .button.plain { color: var(--ink); } }
@media (min-width: 54rem) { .card { padding: 2.5rem 3rem 2.75rem; } .card .rows dt { flex: 0 0 12rem; } }
@media (max-width: 36rem) { .card { margin: 0; } }
`;

import { sampleLanguages } from './samples/languages.ts';

/** One column on a telephone, an index beside the text on a desktop. */
export const style = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfcfa, #15171a); --card: light-dark(#fff, #1c1f23); --ink: light-dark(#1d2126, #e4e6e9);
  --soft: light-dark(#5b6470, #9aa3ae); --line: light-dark(#e4e1da, #2e3339); --link: light-dark(#14507e, #86bdf0);
  --accent: light-dark(#9a3412, #f0a17a); --code: light-dark(#f3f1ec, #23272c);
  --get: light-dark(#14507e, #86bdf0); --post: light-dark(#166534, #7fd19b); --put: light-dark(#8a5a00, #e3b75b); --delete: light-dark(#a11d2b, #f08c96);
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
:root:not(.scripted) .scripted-only { display: none; }
* { box-sizing: border-box; }
html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: .875em; }
p code, dd code, li code, dt code { overflow-wrap: anywhere; }
p code, dd > code { background: var(--code); padding: .1em .3em; border-radius: 4px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: .5rem; z-index: 3; background: var(--paper); padding: .25rem .5rem; }
.top { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; align-items: center; padding: .5rem 1.25rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.top nav { display: flex; gap: 1.1rem; font-size: .9rem; overflow-x: auto; order: 3; flex: 1 1 100%; padding: .2rem 0; }
.top a { text-decoration: none; }
.top nav a { color: var(--soft); }
.top nav a:hover { color: var(--ink); }
.tools { display: flex; gap: .5rem; align-items: center; margin-left: auto; font-size: .9rem; }
button { font: inherit; font-size: .85rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .25rem .6rem; min-height: 1.9rem; cursor: pointer; }
button:hover { border-color: var(--soft); }
[data-theme-switch] { padding: .25rem .5rem; }
.half { display: block; width: .95rem; height: .95rem; border: 1.5px solid currentColor; border-radius: 50%; background: linear-gradient(90deg, currentColor 50%, transparent 50%); }
kbd { font: .8em var(--mono); color: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: 0 .3em; }
.brand { font-weight: 700; letter-spacing: -.01em; color: var(--ink); }
main { min-width: 0; padding: 1.5rem 1.25rem 5rem; }
.single main { max-width: 46rem; margin: 0 auto; }
.menu { border-top: 1px solid var(--line); padding: 1rem 1.25rem 3rem; font-size: .9rem; }
.menu ul { list-style: none; margin: 0; padding: 0; }
.menu ul ul { margin: .1rem 0 .5rem .1rem; padding-left: .8rem; border-left: 1px solid var(--line); }
.menu a { display: block; padding: .18rem 0; color: var(--soft); text-decoration: none; line-height: 1.4; }
.menu a:hover, .menu a[aria-current] { color: var(--ink); }
.menu a[aria-current] { font-weight: 600; }
h1 { font-size: clamp(1.6rem, 1.2rem + 2vw, 2.2rem); line-height: 1.2; letter-spacing: -.02em; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; line-height: 1.3; letter-spacing: -.01em; margin: 2.5rem 0 .6rem; }
h3 { font-size: .95rem; margin: 1.8rem 0 .5rem; }
h1 code { font-size: .85em; }
.lead { font-size: 1.08rem; color: var(--soft); max-width: 44rem; }
.crumbs { margin: 0 0 .3rem; font-size: .85rem; }
small, .limits { color: var(--soft); font-size: .85rem; }
var { font-style: normal; color: var(--accent); }
pre { margin: .4rem 0 0; padding: .85rem 1rem; background: var(--code); border-radius: 8px; overflow-x: auto; line-height: 1.5; max-height: 36rem; }
.copied { position: relative; }
.copied > .copy { position: absolute; top: .45rem; right: .45rem; }
.copied > pre { padding-top: 2.7rem; }
.note { border-left: 3px solid var(--accent); padding: .1rem 0 .1rem 1rem; margin: 1rem 0; font-size: .92rem; }
.note p { margin: .3rem 0; } .note ul { margin: .2rem 0; padding-left: 1.2rem; }
.versions { display: flex; flex-wrap: wrap; gap: .3rem .9rem; font-size: .85rem; margin-bottom: .8rem; color: var(--soft); }
.versions [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
.neighbours { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin-top: 4rem; border-top: 1px solid var(--line); padding-top: 1rem; }
.neighbours a { text-decoration: none; overflow-wrap: anywhere; }
.neighbours a[rel="next"] { grid-column: 2; text-align: right; }
.neighbours small { display: block; }
.cards { list-style: none; padding: 0; display: grid; gap: .8rem; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); }
.cards a { display: block; height: 100%; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); text-decoration: none; }
.cards a:hover { border-color: var(--soft); }
.cards strong { display: block; }
table { border-collapse: collapse; margin: .6rem 0; font-size: .92rem; }
.scroll { overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .4rem 1.2rem .4rem 0; border-top: 1px solid var(--line); }
th { border-top: 0; color: var(--soft); font-weight: 500; }
.rules { display: grid; gap: .2rem 2rem; margin: 0; }
.rules div { padding: .7rem 0; border-top: 1px solid var(--line); }
.rules dt { font-weight: 600; }
.rules dd { margin: .1rem 0 0; color: var(--soft); }
.rules dd code { color: var(--ink); }
.index { list-style: none; margin: 0; padding: 0; }
.index a { display: grid; grid-template-columns: 4.2rem 1fr; column-gap: .7rem; padding: .5rem 0; border-top: 1px solid var(--line); text-decoration: none; color: var(--ink); align-items: baseline; }
.index a > span:last-child { grid-column: 2; color: var(--soft); font-size: .9rem; }
.index a:hover code { text-decoration: underline; }
.method { display: inline-block; font: 600 .72rem/1 var(--mono); letter-spacing: .03em; padding: .3em .5em; border-radius: 4px; border: 1px solid currentColor; justify-self: start; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
.operation { margin-top: 2.5rem; border-top: 1px solid var(--line); }
.operation > h2 { margin-top: 1.8rem; }
.anchor { color: var(--line); text-decoration: none; font-weight: 400; }
h2:hover .anchor, h3:hover .anchor, .anchor:focus-visible { color: var(--soft); }
.route { margin: 0 0 1rem; font-size: 1.02rem; overflow-wrap: anywhere; }
.route > code { background: none; padding: 0; margin-left: .3rem; }
.facts { display: grid; gap: .3rem; margin: 1rem 0; font-size: .92rem; }
.facts div { display: grid; grid-template-columns: 6.5rem 1fr; gap: .5rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
.facts small { display: block; }
.fields { list-style: none; margin: 0; padding: 0; font-size: .92rem; }
.fields > li { padding: .5rem 0; border-top: 1px solid var(--line); }
.fields p { margin: .1rem 0 0; }
.name { font-weight: 600; }
.type { color: var(--soft); margin-left: .35rem; }
.must { color: var(--accent); font-weight: 500; font-size: .8rem; margin-left: .35rem; }
.may { color: var(--soft); font-size: .8rem; margin-left: .35rem; }
.values code { background: var(--code); padding: .1em .35em; border-radius: 4px; margin: 0 .1rem .2rem 0; display: inline-block; }
.fields .fields { margin: .4rem 0 0 .1rem; padding-left: .9rem; border-left: 2px solid var(--line); }
.fields .fields > li:first-child { border-top: 0; }
.fields details > summary { cursor: pointer; color: var(--soft); font-size: .82rem; margin-top: .2rem; }
.codes, .plain { list-style: none; padding: 0; margin: 0; font-size: .92rem; }
.codes li { padding: .25rem 0; }
.codes b { font-weight: 500; color: var(--soft); margin-right: .3rem; }
.codes small { display: block; padding-left: 2.3rem; }
.common summary { cursor: pointer; color: var(--soft); font-size: .88rem; margin-top: .3rem; }
.errors dt { margin-top: .9rem; }
.errors dd { margin: 0; color: var(--soft); }
.operation { content-visibility: auto; contain-intrinsic-size: auto 90rem; }
.operation:target, .operation:has(:target) { content-visibility: visible; }
.fields :target, .errors :target { background: var(--code); box-shadow: -.5rem 0 0 var(--code), .5rem 0 0 var(--code); }
.sides > div, .example > div { min-width: 0; }
figure { margin: 1rem 0 0; }
figcaption { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; font-size: .88rem; color: var(--soft); }
.example { display: grid; gap: .3rem 1.5rem; }
.example pre { max-height: 24rem; }
.choices { display: flex; flex-wrap: wrap; gap: .2rem .9rem; align-items: center; min-height: 2.4rem; font-size: .85rem; }
.choices label { display: inline-flex; gap: .3rem; align-items: center; min-height: 1.5rem; cursor: pointer; }
.answered { display: flex; align-items: center; min-height: 2.4rem; margin: 0; font-size: .85rem; color: var(--soft); }
${sampleLanguages.map(({ id }) => `.request:has(input[value="${id}"]:checked) [data-language]:not([data-language="${id}"]), .request:has(input[value="${id}"]:checked) .copied:not(:has([data-language="${id}"]))`).join(',\n')} { display: none; }
dialog { width: min(44rem, calc(100vw - 1.5rem)); max-height: calc(100vh - 3rem); margin: 1.5rem auto; padding: 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); overflow-y: auto; }
dialog::backdrop { background: #0008; }
dialog h2 { margin: 0 0 .8rem; font: 600 1rem/1.4 var(--mono); overflow-wrap: anywhere; }
.asked { display: flex; gap: .5rem; }
.asked input { flex: 1; min-width: 0; }
input[type="text"], textarea { width: 100%; font: inherit; padding: .4rem .6rem; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 6px; }
textarea { font: .85rem/1.5 var(--mono); resize: vertical; }
.secret { -webkit-text-security: disc; }
.try form { display: grid; gap: .7rem; }
.try label > span { display: block; font-size: .85rem; color: var(--soft); }
.told { margin: .4rem 0; font-size: .85rem; color: var(--soft); overflow-wrap: anywhere; }
#search-found { list-style: none; margin: 0; padding: 0; }
#search-found li { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0 .6rem; padding: .45rem .5rem; border-radius: 6px; cursor: pointer; }
#search-found span { grid-column: 2; font-size: .85rem; color: var(--soft); overflow-wrap: anywhere; }
#search-found b { font-weight: 600; overflow-wrap: anywhere; }
#search-found [aria-selected="true"], #search-found li:hover { background: var(--code); }
@media (min-width: 64rem) {
  .top nav { order: 0; flex: 1; }

  .columns { display: grid; grid-template: "menu main" auto / 16.5rem minmax(0, 1fr); max-width: 96rem; margin: 0 auto; }
  .menu { grid-area: menu; position: sticky; top: 3rem; align-self: start; height: calc(100vh - 3rem); overflow-y: auto; border: 0; border-right: 1px solid var(--line); padding: 1.5rem 1.25rem; }
  .columns > main { grid-area: main; }
  .to-menu { display: none; }
  main { padding: 2rem 3rem 6rem; }
  .rules { grid-template-columns: 1fr 1fr; }
  .index a { grid-template-columns: 4.2rem minmax(16rem, 26rem) 1fr; }
  .index a > span:last-child { grid-column: auto; }
}
@media (min-width: 80rem) {
  .sides, .example { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .sides { display: grid; gap: 3rem; }
  .example figcaption { grid-column: 1 / -1; }
}
@media print { .top, .menu, .choices, .copy, .neighbours { display: none; } }
`;

/** How the page and the report look: one sheet, light and dark, on a screen and on paper. No colour says anything that words do not. */

/** Of the report and the page. */
export const shared = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566173; --line: #d9dee6; --paper: #ffffff; --ground: #f5f6f8; --accent: #14517d; --on-accent: #ffffff;
  --good: #1b6440; --good-ground: #e6f3ec; --bad: #9b1c23; --bad-ground: #fbe9ea; --wait: #775008; --wait-ground: #fcf2dc; --space: 1rem; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf1; --soft: #a8b3c2; --line: #364050; --paper: #1b222c; --ground: #131820; --accent: #8fc6ee; --on-accent: #0d1c28;
  --good: #8bd9ae; --good-ground: #173425; --bad: #ffa6a8; --bad-ground: #3d1c20; --wait: #f1ca7c; --wait-ground: #382a0f; } }
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif; color: var(--ink); background: var(--ground); }
body { margin: 0; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .35rem; font-weight: 650; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 0 0 .75rem; font-weight: 650; }
h3 { font-size: 1rem; margin: 0 0 .35rem; font-weight: 650; } h3::first-letter, legend::first-letter { text-transform: uppercase; }
p { margin: 0 0 .75rem; max-width: 46rem; }
a { color: var(--accent); text-underline-offset: .18em; }
code, .mono { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; font-size: .9em; overflow-wrap: anywhere; }
.soft { color: var(--soft); } .small { font-size: .88rem; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: 1.15rem 1.25rem; margin: 0 0 1.15rem; }
.card > :last-child { margin-bottom: 0; } td.number + td:not(.number), th.number + th:not(.number) { padding-left: .9rem; }
.badge { display: inline-block; border-radius: 1rem; padding: .05rem .65rem; font-size: .82rem; font-weight: 600; white-space: nowrap; border: 1px solid currentColor; }
.good { color: var(--good); background: var(--good-ground); } .bad { color: var(--bad); background: var(--bad-ground); } .waiting { color: var(--wait); background: var(--wait-ground); }
.plain { color: var(--soft); background: transparent; }
.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0 0 1.15rem; padding: 0; list-style: none; }
.figures li { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: .7rem 1.1rem; min-width: 7.5rem; }
.figures strong { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } caption { text-align: left; font-weight: 650; padding: 0 0 .5rem; }
th { text-align: left; font-size: .82rem; color: var(--soft); font-weight: 600; white-space: nowrap; } th.number { text-align: right; }
th, td { padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } tbody tr:last-child > * { border-bottom: 0; } td:first-child { white-space: nowrap; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .3rem 1.2rem; margin: 0; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.qr { width: 7.5rem; height: 7.5rem; display: block; flex: none; } .qr-paper { fill: #fff; } .qr-ink { fill: #000; }
ul.plain-list { margin: 0 0 .75rem; padding-left: 1.1rem; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin: 0 0 .5rem; } }
`

/** Of the report alone: one document after the other, none torn by the end of a page. */
export const report = `${shared}
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
header { margin: 0 0 1.5rem; }
.receipts { list-style: none; margin: 0; padding: 0; display: grid; gap: .9rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); }
.receipts li { display: flex; gap: 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem; break-inside: avoid; }
.receipts .about { min-width: 0; } .receipts h3 { margin: 0; overflow-wrap: anywhere; } .receipts h3::first-letter { text-transform: none; } .receipts p { margin: .15rem 0; overflow-wrap: anywhere; }
.cause { border-top: 1px solid var(--line); padding: 1rem 0 .25rem; break-inside: avoid-page; } .cause:first-of-type { border-top: 0; padding-top: 0; }
@media print { :root { --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --ground: #fff; --accent: #000; --good: #000; --bad: #000; --wait: #000; --good-ground: #fff; --bad-ground: #fff; --wait-ground: #fff; }
  html { font-size: 80%; } main { max-width: none; padding: 0; } .card, .receipts li, .figures li { border-radius: 0; } h2 { break-after: avoid; } @page { margin: 15mm; } }
`

/**
 * Style sheet of the page and the report, light and dark, for a screen and for paper. No
 * information is given by color alone.
 */

/**
 * Styles shared by the report and the page. Spacing: 4, 8, 12, 16, 24, 32 px. Contrast of every
 * text on its background is at least 5.7.
 */
export const shared = `
:root { color-scheme: light dark; --ground: #f6f7f9; --surface: #ffffff; --sunken: #f1f3f6; --line: #dfe3e9; --line-strong: #868f9e; --ink: #18202c; --muted: #566072;
  --accent: #1f4f9e; --accent-hover: #173f82; --on-accent: #ffffff; --accent-soft: #eaf0fa; --good: #12663b; --good-soft: #e6f4ec; --wait: #3d4f73; --wait-soft: #e9edf5;
  --warn: #7a4a00; --warn-soft: #fdf3dd; --warn-line: #d9a441; --bad: #a31d1d; --bad-soft: #fcebea; --bad-line: #d98a86; --live: #a31d1d; --on-live: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --ground: #0f1318; --surface: #171c23; --sunken: #1e252e; --line: #2c3540; --line-strong: #7d8999; --ink: #e7ebf1; --muted: #a2aebd;
  --accent: #8db4f5; --accent-hover: #abc8f9; --on-accent: #0c1626; --accent-soft: #1b2941; --good: #74d3a0; --good-soft: #12291e; --wait: #b1c1e2; --wait-soft: #1f2837;
  --warn: #efbf6b; --warn-soft: #2c2312; --warn-line: #7d5d1f; --bad: #f49d97; --bad-soft: #331a1a; --bad-line: #8a4340; --live: #f49d97; --on-live: #2a0d0d; } }
*, *::before, *::after { box-sizing: border-box; }
html { background: var(--ground); }
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/20px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif; font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%; }
h1 { font-size: 22px; line-height: 28px; font-weight: 650; letter-spacing: -.01em; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 16px; line-height: 24px; font-weight: 650; margin: 0 0 8px; }
h3 { font-size: 14px; line-height: 20px; font-weight: 650; margin: 0 0 4px; } h3::first-letter, legend::first-letter, .found::first-letter { text-transform: uppercase; }
p { margin: 0 0 8px; max-width: 104ch; }
a { color: var(--accent); text-underline-offset: 2px; } a:hover { color: var(--accent-hover); }
code, .mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 13px; overflow-wrap: anywhere; }
.soft { color: var(--muted); } .small { font-size: 13px; line-height: 18px; } .number { text-align: right; white-space: nowrap; } .nowrap { white-space: nowrap; }
.vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 16px; margin: 0 0 16px; }
.card > :last-child { margin-bottom: 0; }
.badge { display: inline-flex; align-items: center; gap: 5px; font-size: 13px; line-height: 18px; font-weight: 600; white-space: nowrap; } .badge::before { content: "○"; font-weight: 700; }
.badge.good::before { content: "✓"; } .badge.bad::before { content: "✕"; } .badge.waiting::before { content: "◷"; } .badge.unknown::before { content: "⚠"; }
.good { color: var(--good); } .bad { color: var(--bad); } .waiting { color: var(--wait); } .unknown { color: var(--warn); } .plain { color: var(--muted); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); margin: 0 0 16px; padding: 0; list-style: none; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.figures li { padding: 12px 16px; border-left: 1px solid var(--line); margin-left: -1px; } .figures strong { display: block; font-size: 22px; line-height: 28px; font-weight: 650; } .figures .amount { display: block; color: var(--muted); font-size: 13px; line-height: 18px; margin-top: 2px; }
.eq { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; } .eq > div { flex: 1 1 auto; } .eq strong { display: block; font-size: 22px; line-height: 28px; font-weight: 650; } .eq .amount { display: block; color: var(--muted); font-size: 13px; line-height: 18px; } .eq .op { color: var(--muted); font-size: 18px; }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } caption { text-align: left; font-weight: 650; padding: 0 0 8px; }
th, td { padding: 7px 16px 7px 0; min-height: 36px; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; } th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--muted); font-weight: 600; font-size: 12px; line-height: 16px; white-space: nowrap; } th.number { text-align: right; } tbody th { font-weight: 600; }
tbody tr:last-child > * { border-bottom: 0; } tfoot > tr > * { border-top: 1px solid var(--line-strong); border-bottom: 0; font-weight: 650; } td:first-child { white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 6px 16px; margin: 0; } dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
.amounts { grid-template-columns: 1fr max-content; column-gap: 0; margin-bottom: 8px; } .amounts dt { padding-right: 16px; } .amounts dd { text-align: right; } .amounts .sum { border-top: 1px solid var(--line-strong); padding-top: 6px; font-weight: 650; color: var(--ink); }
.qr { width: 120px; height: 120px; display: block; flex: none; } .qr-paper { fill: #fff; } .qr-ink { fill: #000; }
ul.plain-list { margin: 0 0 8px; padding-left: 18px; }
@media (max-width: 640px) { dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin: 0 0 8px; } .figures { grid-template-columns: minmax(0, 1fr); } .figures li { display: grid; grid-template-columns: minmax(34px, max-content) 1fr max-content; gap: 0 8px; align-items: center; padding: 6px 16px; border-left: 0; margin: -1px 0 0; border-top: 1px solid var(--line); } .figures strong { font-size: 16px; } .figures .amount { margin: 0; text-align: right; } .eq { display: grid; grid-template-columns: 14px minmax(0, 1fr); gap: 6px 8px; } .eq > div { display: grid; grid-template-columns: minmax(24px, max-content) max-content minmax(0, 1fr); gap: 0 8px; align-items: center; } .eq .amount { text-align: right; } .eq > div:first-child { grid-column: 2; } .eq strong { font-size: 16px; line-height: 24px; } }
`

/** Styles of the report only. Page breaks never split a document. */
export const report = `${shared}
main { max-width: 1100px; margin: 0 auto; padding: 32px 20px 64px; }
header { margin: 0 0 24px; } main > h2, main > .table + .table { margin-top: 20px; } main > .table + p { margin-top: 8px; }
.receipts { list-style: none; margin: 0; padding: 0; display: grid; gap: 14px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); }
.receipts li { display: flex; gap: 16px; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 14px; break-inside: avoid; }
.receipts .about { min-width: 0; } .receipts h3 { margin: 0; overflow-wrap: anywhere; } .receipts h3::first-letter { text-transform: none; } .receipts p { margin: 2px 0; overflow-wrap: anywhere; }
.cause { border-top: 1px solid var(--line); padding: 16px 0 4px; break-inside: avoid-page; } .cause:first-of-type { border-top: 0; padding-top: 0; }
@media print { :root { --ink: #000; --muted: #444; --line: #bbb; --surface: #fff; --ground: #fff; --accent: #000; --good: #000; --bad: #000; --wait: #000; --warn: #000; }
  body { font-size: 11px; line-height: 16px; } table, .small { font-size: 9.5px; line-height: 13px; } code { font-size: inherit; } th, td { padding: 3px 8px 3px 0; min-height: 0; } thead th { font-size: 9px; line-height: 12px; }
  main { max-width: none; padding: 0; } .card, .receipts li, .figures { border-radius: 0; } h2, h2 + p { break-after: avoid; } thead { display: table-header-group; } tr { break-inside: avoid; } .table { overflow: visible; }
  @page { margin: 15mm; @bottom-right { content: "Page " counter(page) " of " counter(pages); font-size: 9px; } } }
`

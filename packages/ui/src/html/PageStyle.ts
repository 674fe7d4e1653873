/** How the page looks, beyond what it has in common with the report. */
import { shared } from "./Style.ts"

export const pageStyle = `${shared}
.skip { position: absolute; left: -100rem; } .skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .5rem 1rem; z-index: 2; }
.top { background: var(--paper); border-bottom: 1px solid var(--line); }
.top > div { max-width: 66rem; margin: 0 auto; padding: .7rem 1.25rem; display: flex; flex-wrap: wrap; gap: .4rem 1.4rem; align-items: center; }
.top strong { font-weight: 650; } .top nav ul { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; margin: 0; padding: 0; } .top .badge { margin-left: auto; }
.top nav a { display: block; padding: .3rem .75rem; border-radius: .45rem; text-decoration: none; color: var(--ink); } .top nav a:hover { background: var(--ground); } .top nav a[aria-current] { background: var(--ground); font-weight: 600; }
main { max-width: 66rem; margin: 0 auto; padding: 1.8rem 1.25rem 4rem; }
.steps { list-style: none; display: flex; flex-wrap: wrap; gap: .4rem 1.3rem; margin: 0 0 1.5rem; padding: 0; color: var(--soft); font-size: .92rem; counter-reset: step; }
.steps li { counter-increment: step; } .steps li::before { content: counter(step); display: inline-grid; place-items: center; width: 1.55em; height: 1.55em; border-radius: 50%; border: 1px solid var(--line); margin-right: .5em; font-variant-numeric: tabular-nums; }
.steps li[aria-current] { color: var(--ink); font-weight: 650; } .steps li[aria-current]::before { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
form { margin: 0; } fieldset { border: 0; margin: 0 0 1.15rem; padding: 0; min-width: 0; } legend { font-weight: 650; padding: 0; margin: 0 0 .5rem; float: left; width: 100%; } legend + * { clear: both; }
label { display: block; } label.line { display: flex; gap: .7rem; align-items: baseline; padding: .45rem .6rem; border-radius: .45rem; } label.line:hover { background: var(--ground); } .field { margin: 0 0 1rem; } .field > span:first-child { display: block; font-weight: 600; margin: 0 0 .25rem; }
input, select, button, textarea, .button { font: inherit; color: inherit; } input[type=text], input[type=search], select, textarea { background: var(--paper); border: 1px solid var(--soft); border-radius: .45rem; padding: .45rem .65rem; max-width: 100%; width: 22rem; min-height: 2.6rem; }
input[type=radio], input[type=checkbox] { accent-color: var(--accent); width: 1.1rem; height: 1.1rem; flex: none; margin: 0; position: relative; top: .15rem; } td select { width: 100%; min-width: 11rem; }
button, .button { display: inline-block; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); border-radius: .5rem; padding: .55rem 1.15rem; font-weight: 600; cursor: pointer; text-decoration: none; min-height: 2.6rem; }
button.quiet, .button.quiet { background: transparent; color: var(--accent); } button:hover, .button:hover { filter: brightness(1.08); } button:disabled { opacity: .55; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: .7rem; align-items: center; margin: 1.15rem 0; }
.actions p { margin: 0; } textarea { width: 100%; min-height: 26rem; font: .85rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; tab-size: 2; }
.drop { border: 2px dashed var(--line); border-radius: .8rem; background: var(--paper); padding: 2.4rem 1.25rem; text-align: center; margin: 0 0 1rem; } .drop.over { border-color: var(--accent); background: var(--ground); } .drop input { margin: .8rem auto 0; display: block; max-width: 100%; } .drop .big { font-size: 1.15rem; font-weight: 600; } .drop p { margin-left: auto; margin-right: auto; }
.note { color: var(--ink); border-left: 4px solid var(--accent); background: var(--paper); padding: .75rem 1rem; border-radius: .3rem; margin: 0 0 1.15rem; } .note p:last-child { margin: 0; } .note.bad { border-color: var(--bad); } .note.waiting { border-color: var(--wait); } .note.good { border-color: var(--good); }
.reading { color: var(--soft); margin-left: .4rem; } .reading code { color: var(--ink); }
progress { width: 100%; height: 1rem; accent-color: var(--accent); }
details { margin: 0 0 1rem; } summary { cursor: pointer; font-weight: 600; padding: .3rem 0; } pre { overflow-x: auto; background: var(--ground); border-radius: .45rem; padding: .9rem; font-size: .85rem; line-height: 1.45; margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.tabs { display: flex; flex-wrap: wrap; gap: .35rem; list-style: none; margin: 0 0 1rem; padding: 0; } .tabs a { display: block; border: 1px solid var(--line); border-radius: 1rem; padding: .2rem .85rem; text-decoration: none; color: var(--ink); background: var(--paper); } .tabs a[aria-current] { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
.paging { display: flex; gap: 1.2rem; align-items: center; margin: .9rem 0 0; }
.timeline { list-style: none; margin: 0; padding: 0 0 0 1.1rem; border-left: 2px solid var(--line); } .timeline li { position: relative; padding: 0 0 1.05rem .4rem; } .timeline li::before { content: ""; position: absolute; left: -1.55rem; top: .45rem; width: .75rem; height: .75rem; border-radius: 50%; background: var(--line); border: 2px solid var(--paper); } .timeline li.good::before { background: var(--good); } .timeline li.bad::before { background: var(--bad); } .timeline li.waiting::before { background: var(--wait); } .timeline li { color: inherit; background: none; } .timeline p { margin: .1rem 0 0; }
.beside { display: flex; gap: 1.4rem; flex-wrap: wrap; align-items: flex-start; } .beside > .grow { flex: 1 1 18rem; min-width: 0; } .beside > .qr { margin: 0 0 1.15rem; }
.receipts { list-style: none; margin: 0; padding: 0; display: grid; gap: .9rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); } .receipts li { display: flex; gap: 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem; } .receipts .about { min-width: 0; } .receipts h3 { margin: 0; overflow-wrap: anywhere; } .receipts h3::first-letter { text-transform: none; } .receipts p { margin: .15rem 0; overflow-wrap: anywhere; }
.cause { border-top: 1px solid var(--line); padding: 1rem 0 .25rem; } .cause:first-of-type { border-top: 0; padding-top: 0; }
.plot { width: 100%; height: 6.5rem; display: block; } .plot rect.good { fill: var(--good); } .plot rect.bad { fill: var(--bad); } .plot rect.waiting { fill: var(--wait); } .plot line { stroke: var(--line); }
`

/** What the pages of the inspector need besides the style of the debug page, whose colours they share. */
export const inspectorStyle: string = `
[hidden] { display: none !important }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.bar { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: .5rem 1.5rem; padding-bottom: 1.25rem }
.bar nav, .bar .find { grid-column: 1 / -1 }
header nav { margin: 0; font-size: 14px }
.bar h1 { font-size: clamp(1.5rem, 1.3rem + 1.2vw, 2.1rem); letter-spacing: -.02em; line-height: 1.2 }
.bar .tools { margin: 0 }
#state { color: var(--ink); font-weight: 600 }
#state::before { content: ""; display: inline-block; width: 9px; height: 9px; margin-right: .5rem; border-radius: 50%; background: var(--soft) }
[data-state="live"] #state::before { background: var(--text) }
[data-state="failing"] #state { color: var(--accent) }
[data-state="failing"] #state::before { border-radius: 2px; background: var(--accent) }
.find { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1.25rem }
.find label { display: flex; align-items: center; gap: .6rem; color: var(--soft); font-size: 14px }
.find label:first-child { flex: 1 1 18rem; max-width: 34rem }
input[type="search"], select { min-width: 0; padding: 7px 12px; border: 1px solid var(--soft); border-radius: 8px; background: var(--card); color: var(--ink); font: inherit }
input[type="search"] { flex: 1 }
.list, .steps, .lines, .queries { table-layout: auto }
.list th, .steps th, .lines th, .queries th { width: auto; font-family: inherit; font-weight: 600; white-space: nowrap }
.list td, .steps td, .queries td { white-space: normal }
.list td { font-family: inherit; font-size: 14px }
.list:not(:has(tr[data-number])) { display: none }
#nothing { border: 1px solid var(--line); border-radius: 10px; background: var(--card) }
.list td:nth-child(n + 2), .list th:nth-child(n + 2) { width: 1%; white-space: nowrap }
.list tbody tr:focus-within { background: var(--sunken); box-shadow: inset 3px 0 var(--link) }
.list td a { text-decoration: none; font-weight: 600 }
.list td a:hover { text-decoration: underline }
.subject { font: 13.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; overflow-wrap: anywhere }
.list .kind, .list .title { margin: 0 0 0 .75rem; color: var(--soft); font-size: 13px; font-weight: 400 }
.list td:empty::after, .steps td:empty::after, .queries td:empty::after, .lines td:empty::after, .names td::after { content: none }
.list .duration, .list .statements, .list .time { font-variant-numeric: tabular-nums }
.status { display: inline-block; padding: 0 9px; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); color: var(--text); font: 600 13px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace }
.status.odd { color: var(--literal) }
.status.bad, .bad { background: var(--accent-soft); color: var(--accent) }
span.bad:not(.status) { padding: 0 6px; border-radius: 4px }
.help { margin-top: 1.5rem; color: var(--soft); font-size: 13px }
.help p + p { margin-top: .4rem }
kbd { padding: 0 5px; border: 1px solid var(--line); border-radius: 4px; background: var(--card); font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }

.activity { padding-bottom: 0 }
.activity h1 { margin: .6rem 0 .9rem }
.activity h1 .subject { font-size: clamp(1.15rem, 1rem + 1.1vw, 1.7rem); font-weight: 600; line-height: 1.3 }
.activity h1 .status { margin-left: .35rem; font-size: 1rem; vertical-align: .2em }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: 0 }
.facts div { display: flex; align-items: baseline; gap: .5rem; min-width: 0 }
.facts dt { color: var(--soft); font-size: 14px }
.facts dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
.jumps { display: flex; flex-wrap: wrap; gap: .3rem 1.25rem; margin-top: 1rem; font-size: 14px }
.part { margin-top: 2.25rem; scroll-margin-top: 1rem }
.part > h2 { margin-bottom: .6rem; font-size: 1.15rem }
.part > h2 small { margin-left: .5rem; color: var(--soft); font-size: 14px; font-weight: 400 }
.part > details > summary { margin-bottom: .6rem; color: var(--soft); font-size: 14px }
.part > .note { margin: .6rem 0 0; color: var(--soft); font-size: 14px }
.part .error h2 .message { font-size: 1.3rem }
.steps td:nth-child(1), .steps td:nth-child(3) { width: 1%; white-space: nowrap }
.steps.plain td:nth-child(1) { width: auto; white-space: normal }
.names { columns: 16rem; padding-left: 1.25rem }
.steps td:nth-child(4) { width: 44%; padding-left: 0 }
.steps .what { display: -webkit-box; overflow: hidden; -webkit-line-clamp: 2; -webkit-box-orient: vertical }
.track { display: block; width: 100%; height: 14px; margin-top: 3px; border-radius: 3px; background: var(--sunken) }
.bar-sql { fill: var(--name) } .bar-pool { fill: var(--soft) } .bar-redis { fill: var(--literal) }
.bar-mail { fill: var(--keyword) } .bar-push { fill: var(--type) } .bar-cache { fill: var(--text) }
.bar-fetch { fill: var(--literal) } .bar-span, .bar-other { fill: var(--keyword) } .bar-failed { fill: var(--accent) }
.queries td:nth-child(n + 2), .queries th:nth-child(n + 2) { width: 1%; white-space: nowrap }
.queries pre { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.6 }
.queries .about { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem 1.25rem; margin-top: .3rem; color: var(--soft); font-size: 13px }
.queries button { padding: 2px 12px; font-size: 13px }
.repeat { margin-bottom: .6rem; padding: .6rem .9rem; border-left: 3px solid var(--accent); background: var(--accent-soft) }
.repeat strong { color: var(--accent) }
.repeat pre { margin-top: .3rem; white-space: pre-wrap; overflow-wrap: anywhere }
.list .repeats { margin-left: .5rem; padding: 0 6px; border-radius: 4px; background: var(--accent-soft); color: var(--accent); font-size: 13px; font-weight: 600 }
.list .repeats:empty { display: none }
.plan { margin-top: .5rem; padding: .6rem .9rem; border-left: 3px solid var(--link); background: var(--sunken) }
.lines td:nth-child(-n + 2) { width: 1%; white-space: nowrap; color: var(--soft) }
.lines details { margin-top: .25rem; color: var(--soft) }
.level-error, .level-fatal { color: var(--accent); font-weight: 700 }
.level-warn { color: var(--literal); font-weight: 700 }
@media (max-width: 52rem) {
  .list thead, .steps thead, .queries thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  .list tr, .steps tr, .queries tr, .lines tr { display: block; padding: .45rem 0 }
  .list tr + tr, .steps tr + tr, .queries tr + tr, .lines tr + tr { border-top: 1px solid var(--line) }
  .list tr + tr > *, .steps tr + tr > *, .queries tr + tr > *, .lines tr + tr > * { border-top: 0 }
  .list td, .steps td, .queries td, .lines td { display: inline-block; width: auto !important; padding: .1rem .4rem .1rem .9rem }
  .list td:first-child, .queries td:first-child, .lines td:last-child, .steps td:nth-child(2), .steps td:nth-child(4) { display: block; padding-left: .9rem }
  .queries td[data-unit]::after { content: " " attr(data-unit) }
  .steps:not(.plain) tr { display: grid; grid-template-columns: 1fr auto }
  .steps:not(.plain) td:nth-child(1) { color: var(--soft) }
  .steps:not(.plain) td:nth-child(3) { grid-area: 1 / 2; padding-right: .9rem }
  .steps:not(.plain) td:nth-child(2), .steps:not(.plain) td:nth-child(4) { grid-column: 1 / -1; padding-right: .9rem }
  .list .title { display: block; margin-left: 0 }
  .list td:empty, .list td:has(> .statements:empty) { display: none }
  .list td:nth-child(n + 3) { color: var(--soft); font-size: 13px }
  .bar { grid-template-columns: 1fr }
  .bar .tools { justify-content: space-between }
}
`.replaceAll(/\n\s*/g, '\n')

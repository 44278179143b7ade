/** What the pages of the inbox add to the style they share with the mail preview. */
export const inboxStyle: string = `
.states, .orders, .pages { display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; margin: 0; padding: 0; list-style: none }
[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none }
.tools { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .8rem 1.5rem; margin-bottom: 1rem }
.search { display: flex; gap: .5rem; flex: 0 1 24rem }
input[type="search"] { flex: 1 1 8rem; min-width: 0; padding: 6px 12px; border: 1px solid var(--soft); border-radius: 8px; background: var(--card); color: var(--ink); font: inherit; font-size: 14px }
button { padding: 6px 14px; border: 1px solid var(--soft); border-radius: 8px; background: var(--card); color: var(--ink); font: inherit; font-size: 14px; cursor: pointer }
button:hover { border-color: var(--ink) }
button.first { border-color: var(--ink); background: var(--ink); color: var(--ground); font-weight: 600 }
button.first:hover { opacity: .85 }
.class, .state { display: inline-block; padding: 1px 9px; border-radius: 6px; font: 600 13px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; overflow-wrap: anywhere }
.class { background: var(--accent-soft); color: var(--accent) }
.state { border: 1px solid var(--line); color: var(--soft) }
.back { color: var(--accent); font-weight: 600 }
h1 .class { margin-bottom: .5rem; letter-spacing: 0 }
h1 .message { display: block; font-size: clamp(1.25rem, 1.1rem + .8vw, 1.6rem); letter-spacing: -.01em; line-height: 1.3 }
td .message { display: block; margin-top: .2rem }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.orders .note { margin: 0 }
.note + pre { margin-top: .5rem }
td .note { margin-top: .15rem; font-size: 13px }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: 1rem }
.notice { margin-bottom: 1rem; padding: .75rem 1rem; border-color: var(--accent) }
.relation { color: var(--soft); font-size: 13px }
.cause { margin-top: 1.5rem }
.cause .message { margin: .35rem 0 .6rem; font-weight: 600; white-space: pre-wrap; overflow-wrap: anywhere }
ol.frames { margin: 0; padding: .5rem 0; list-style: none; font: 13px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace }
.frames ol { margin: 0; padding: 0 0 0 1rem; list-style: none }
.frames li { padding: .25rem 1rem; overflow-wrap: anywhere }
.frames details { margin: 0 }
.frames summary { margin: 0; font: inherit; font-weight: 400 }
dd details, dd summary { margin: 0 }
dd summary { color: inherit; font: inherit }
.own { box-shadow: inset 3px 0 var(--accent) }
.own .call { font-weight: 700 }
.at { display: block; color: var(--soft) }
h3 { margin: 1rem 0 .4rem; font-size: 14px; font-weight: 600; color: var(--soft) }
@media (max-width: 40rem) {
  td:has(time) { width: auto }
  tbody tr:first-child { border-top: 0 }
  td.number { display: inline-block; padding-right: 0; text-align: left; color: var(--soft) }
  td.number::after { content: " " attr(data-unit) }
}
`

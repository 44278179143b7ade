import { pageBase, pageColours } from '../page-frame.ts'

const frame = `
body { max-width: 104rem }
[hidden] { display: none !important }

header { padding: clamp(1.25rem, 3vw, 2.25rem) 0 1.5rem }
nav { margin-bottom: .5rem; font-size: 14px }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.25rem }
h1 { margin-right: auto; font-size: clamp(1.6rem, 1.3rem + 1.4vw, 2.2rem); font-weight: 600; letter-spacing: -.02em; line-height: 1.2 }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1rem }
.connection { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; color: var(--soft); font-size: 14px; font-variant-numeric: tabular-nums }
#state { display: inline-flex; align-items: center; gap: .5rem; color: var(--ink); font-weight: 600 }
#state::before { content: ""; flex: none; width: 9px; height: 9px; border-radius: 50%; background: var(--soft) }
[data-state="live"] #state::before { background: var(--good) }
[data-state="paused"] #state::before { border-radius: 2px }
[data-state="failing"] #state::before { border-radius: 2px; background: var(--accent); rotate: 45deg }
[data-state="failing"] .connection {
  padding: .45rem .9rem;
  border-radius: 8px;
  background: var(--accent-soft);
  color: var(--accent);
}
[data-state="failing"] #state { color: var(--accent) }
button {
  min-width: 5.5rem;
  padding: 5px 14px;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--card);
  color: var(--ink);
  font: inherit;
  font-size: 14px;
  cursor: pointer;
}
button:hover { border-color: var(--soft) }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2.25rem; margin-top: 1rem }
.facts div { display: flex; align-items: baseline; gap: .5rem }
.facts dt { color: var(--soft); font-size: 14px }
.facts dd { font-weight: 600; font-variant-numeric: tabular-nums }
.scriptless { max-width: 42rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); animation: appear 0s .5s both }
@keyframes appear { from { visibility: hidden } }
footer { margin-top: 1.5rem; color: var(--soft); font-size: 13px }
`

const cards = `
.cards { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem }
.card {
  position: relative;
  display: flex;
  flex-direction: column;
  min-width: 0;
  padding: 1rem 1.1rem .8rem;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--card);
}
.card h2 { font-size: 14px; font-weight: 600; color: var(--soft) }
.headline { display: flex; align-items: baseline; gap: .5rem; margin: .1rem 0 .35rem; line-height: 1.15 }
.headline strong { font-size: 2.1rem; font-weight: 600; letter-spacing: -.02em; font-variant-numeric: tabular-nums; white-space: pre }
.headline .unit { font-size: 1.15rem; letter-spacing: 0; color: var(--soft) }
.note { color: var(--soft); font-size: 13px }
.stage { position: relative; flex: 1; min-height: 178px }
.plot { position: absolute; inset: 0 }
.plot .u-over { touch-action: pan-y }
.plot .u-hz .u-cursor-x { border-right: 1px dashed var(--soft) }
.none { position: absolute; inset: 4px 14px 24px 62px; display: grid; place-content: center; border-bottom: 1px solid var(--line); background: var(--card); color: var(--soft) }
.line { fill: none; stroke: var(--tone); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }
.line.tone-0 { stroke-width: 1.5; stroke-dasharray: 2 4 }
.mark { fill: var(--tone) }
.legend { width: 100%; table-layout: fixed; margin-top: .35rem; border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
.legend th, .legend td { padding: .2rem 0 .2rem .75rem; text-align: right; font-weight: 400; white-space: nowrap }
.legend thead th { color: var(--soft); font-size: 12px }
.legend th:first-child { width: 34%; padding-left: 0; text-align: left; white-space: normal; overflow-wrap: anywhere }
.legend tbody tr > * { border-top: 1px solid var(--grid) }
.legend tbody td:nth-child(2) { font-weight: 600 }
.legend tbody td:nth-child(n + 3) { color: var(--soft) }
.swatch { width: 24px; height: 14px; margin-right: .5rem; vertical-align: -2px }
`

const table = `
.all { margin-top: 2.5rem }
.all h2 { font-size: 1.3rem; font-weight: 600 }
.find { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin: .75rem 0 }
.find label { display: flex; flex: 0 1 26rem; align-items: center; gap: .6rem; font-size: 14px; color: var(--soft) }
input {
  flex: 1;
  min-width: 0;
  padding: 7px 12px;
  border: 1px solid var(--soft);
  border-radius: 8px;
  background: var(--card);
  color: var(--ink);
  font: inherit;
}
#found { color: var(--soft); font-size: 14px }
.scroll { max-height: 32rem; overflow: auto; border: 1px solid var(--line); border-radius: 12px; background: var(--card) }
.series { width: 100%; border-collapse: separate; border-spacing: 0 }
.series th, .series td { padding: .4rem 1rem; text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere }
.series tbody th, .series tbody td { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace }
.series thead th { position: sticky; top: 0; background: var(--card); border-bottom: 1px solid var(--line); color: var(--soft); font-size: 13px; font-weight: 600 }
.series tbody tr + tr > * { border-top: 1px solid var(--grid) }
.series td:nth-child(2) { color: var(--soft) }
.series th:last-child, .series td:last-child { text-align: right; font-variant-numeric: tabular-nums }
`

const ranked = `
.all .note { margin: .25rem 0 .75rem }
.ranked td, .ranked th:not(:first-child) { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.ranked td:nth-child(2) { color: var(--ink) }
.ranked code { font: inherit }
.ranked small { display: block; color: var(--soft); font-size: 12px }
.ranked small:empty { display: none }
.ranked thead th { padding-block: 0 }
.ranked thead button { min-width: 0; margin: 0 -8px; padding: .4rem 8px; border: 0; background: none; color: inherit; font-size: 13px; font-weight: 600 }
.ranked thead button:hover { color: var(--ink); text-decoration: underline; text-underline-offset: 3px }
.ranked thead button:focus-visible { outline-offset: -2px }
.ranked [aria-sort] button { color: var(--ink) }
.ranked [aria-sort="descending"] button::after { content: " ↓"; content: " ↓" / "" }
.ranked [aria-sort="ascending"] button::after { content: " ↑"; content: " ↑" / "" }
#routes .scroll, #statements .scroll { max-height: none }
`

const widthsAndMotion = `
@media (min-width: 48rem) and (max-width: 73rem) {
  .cards { grid-template-columns: repeat(2, minmax(0, 1fr)) }
  .card:first-child { grid-column: span 2 }
}
@media (min-width: 73rem) { .cards { grid-template-columns: repeat(3, minmax(0, 1fr)) } }
@media (max-width: 40rem) {
  h1 { width: 100% }
  .tools { width: 100%; justify-content: space-between }
  .facts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem 1rem }
  .facts div { flex-direction: column; gap: 0 }
  .facts dd { overflow-wrap: anywhere }
  .card { padding: .9rem .85rem .7rem }
  .find label { flex: 1 1 100% }
  .series:not(.ranked) thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  .series:not(.ranked) tbody :is(th, td) { display: block; padding: 0 .85rem }
  .series:not(.ranked) tbody th { padding-top: .55rem }
  .series:not(.ranked) tbody td:last-child { padding-bottom: .55rem; text-align: left; font-weight: 600 }
  .series:not(.ranked) tbody tr + tr > td { border-top: 0 }
  .ranked tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)) }
  #statements tr { grid-template-columns: repeat(3, minmax(0, 1fr)) }
  .ranked tr > :first-child { grid-column: 1 / -1 }
  .ranked th, .ranked td { padding-inline: .85rem }
  .ranked thead th:first-child { border-bottom: 0 }
  .ranked tbody tr > td { border-top: 0; padding-top: 0 }
  .series td:empty { display: none }
}
@media (prefers-reduced-motion: no-preference) {
  [data-state="live"] #state::before { animation: pulse 2s ease-in-out infinite }
  @keyframes pulse { 50% { box-shadow: 0 0 0 4px color-mix(in srgb, var(--good) 25%, transparent) } }
}
`

const tones = Array.from(
  { length: 9 },
  (_, tone) => `.tone-${tone} { --tone: var(--tone-${tone}) }`,
)

/** The style of the page. */
export const pageStyle: string = [
  pageColours,
  pageBase,
  frame,
  cards,
  table,
  ranked,
  widthsAndMotion,
  ...tones,
]
  .join('\n')
  .replaceAll(/\n\s*/g, '\n')

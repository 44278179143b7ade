import { debugColours } from '../errors/page/page-style.ts'
import { htmlDocument } from '../errors/reports/html-document.ts'
import { html } from '../errors/reports/page-text.ts'

/** A page of the mail preview or the error inbox, with more style if given; it has no script. */
export function documentOf(title: string, body: string, nonce: string, style = ''): string {
  return htmlDocument({ title, body, nonce, style: pageColours + pageBase + layout + style })
}

/** A row of a `<dl>`, whose value is HTML; empty if the value is. */
export function definition(name: string, value: string): string {
  return value === '' ? '' : `<div><dt>${html(name)}</dt><dd>${value}</dd></div>`
}

/** A `<time>` element, to the second. */
export function moment(epoch: number): string {
  const text = new Date(epoch * 1000).toISOString()
  return `<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 19)} UTC</time>`
}

/**
 * The colours of the debug page, and those that these pages need besides. Text has a contrast of at least 4.5:1
 * on the background and on cards, lines at least 3:1. Tones also differ in lightness, and each has its own mark.
 */
export const pageColours: string = `${debugColours}
:root {
  --grid: #ebe7de;
  --good: #1f6b3a;
  --tone-0: #8a8f98;
  --tone-1: #1f6fc4;
  --tone-2: #b96a00;
  --tone-3: #17845a;
  --tone-4: #8a3ea8;
  --tone-5: #c0342b;
  --tone-6: #0b7285;
  --tone-7: #7d7200;
  --tone-8: #5a606b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --grid: #2a2e37;
    --good: #93d0a2;
    --tone-0: #777d89;
    --tone-1: #6cb0f5;
    --tone-2: #f0a94f;
    --tone-3: #5fcf9a;
    --tone-4: #cf94ea;
    --tone-5: #ff7f6e;
    --tone-6: #59c8da;
    --tone-7: #d9cc55;
    --tone-8: #b4b9c3;
  }
}
`

/** How all pages begin that have these colours. */
export const pageBase: string = `
*, ::before, ::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body {
  margin: 0 auto;
  max-width: 72rem;
  padding: 0 clamp(1rem, 2.5vw, 2.25rem) 4rem;
  background: var(--ground);
  color: var(--ink);
  font: 15px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1, h2, p, dl, dd, ul, pre { margin: 0 }
a { color: var(--link); text-underline-offset: 3px; text-decoration-thickness: 1px }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
`

const layout = `
header { padding: clamp(1.25rem, 3vw, 2.25rem) 0 1.25rem }
h1 { font-size: clamp(1.5rem, 1.3rem + 1.2vw, 2.1rem); font-weight: 600; letter-spacing: -.02em; line-height: 1.2; overflow-wrap: anywhere }
h2 { margin: 1.75rem 0 .6rem; font-size: 14px; font-weight: 600; color: var(--soft) }
nav { margin-bottom: .5rem; font-size: 14px }
.count, .note { color: var(--soft); font-size: 14px }
.count { margin-top: .4rem; font-variant-numeric: tabular-nums }
.note { margin-top: .5rem }
.card { border: 1px solid var(--line); border-radius: 12px; background: var(--card) }
.none { padding: 1.25rem 1.5rem }
code, pre, .headers { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: 13px }
table { width: 100%; border-collapse: collapse }
th, td { padding: .6rem 1rem; text-align: left; vertical-align: top; overflow-wrap: anywhere }
thead th { color: var(--soft); font-size: 13px; font-weight: 600 }
tbody tr { border-top: 1px solid var(--line) }
.headers tr:first-child { border-top: 0 }
.headers th { width: 13rem; color: var(--soft); font-weight: 400 }
td:has(time) { width: 1% }
time { white-space: nowrap; font-variant-numeric: tabular-nums }
dl.card { padding: .5rem 1rem }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .2rem 0 }
dt { width: 7rem; color: var(--soft) }
dd { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere }
iframe.card { display: block; width: 100%; height: 70vh; min-height: 16rem; resize: vertical; background: #fff; color-scheme: light }
pre { padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.6 }
ul.card { padding: .75rem 1rem .75rem 2.25rem }
details { margin-top: 1.75rem }
summary { margin-bottom: .6rem; color: var(--soft); font-size: 14px; font-weight: 600; cursor: pointer }
@media (max-width: 40rem) {
  thead { display: none }
  th, td { display: block; padding: .1rem 1rem }
  tr > :first-child { padding-top: .6rem }
  tr > :last-child { padding-bottom: .6rem }
  .headers th { width: auto }
}
`

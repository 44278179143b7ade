import { escapeHtml } from '../../base/encoding/escape-html.ts'
import { htmlDocument, nonceAttribute } from '../../errors/reports/html-document.ts'
import { charts } from './in-page/charts.ts'
import type { Chart } from './in-page/charts.ts'
import { pageModule, plotFiles } from './page-files.ts'
import { pageStyle } from './page-style.ts'

/** Options of the dashboard. */
export interface DashboardOptions {
  /** For the inline style and the script. */
  readonly nonce: string
  /** URL of the JSON document on this site. @default the URL of the page */
  readonly source?: string
  /** URL of the metrics as events; '' if the page is to poll. @default 'metrics/events' */
  readonly events?: string
  /** Seconds between two readings. */
  readonly refresh: number
  /**
   * Seconds over which rates and percentiles are averaged. Should be the interval of worker dumps, since
   * the scraped worker does not know what the others have counted since their last dump.
   */
  readonly average: number
}

/**
 * The page that browsers get at /metrics. It draws the JSON of the same URL, loads nothing but the
 * modules of `in-page/` and uPlot, and keeps the last five minutes.
 */
export function metricsDashboard(options: DashboardOptions): string {
  const { nonce, refresh, average, source = '', events = 'metrics/events' } = options
  const body =
    `${header}<main>${withoutScript}` +
    `<div class="cards live" hidden>${charts.map(card).join('')}</div>${rankedTables}` +
    `${allSeries}</main>${footer(average)}${rowTemplates}${rankedTemplates}` +
    scripts(nonce)
  const data = { source, statements: 'metrics/statements', refresh, average, events }
  return htmlDocument({ title: 'Metrics', style: pageStyle, body, nonce, data })
}

const header =
  `<header><nav><a href="/">Back to the site</a></nav><div class="bar"><h1>Metrics</h1><div class="tools">` +
  `<p class="connection live" hidden><span id="state" role="status">Connecting</span>` +
  `<span id="updated"></span></p>` +
  `<button class="live" type="button" id="pause" hidden>Pause</button>` +
  `<a href="?format=text">Text form</a></div></div><dl class="facts live" hidden>` +
  fact('workers', 'Workers') +
  fact('uptime', 'Up for') +
  fact('requests', 'Requests in all') +
  fact('exceptions', 'Exceptions in all') +
  `</dl></header>`

function fact(id: string, name: string): string {
  return `<div><dt>${name}</dt><dd id="fact-${id}">–</dd></div>`
}

// Not <noscript>: it would not be shown if a script is blocked or fails.
const withoutScript =
  `<p class="scriptless" id="scriptless">This page draws its charts with JavaScript, which does ` +
  `not run here. The same numbers are there <a href="?format=text">as text</a>.</p>`

/** The markup of a chart, filled by the script: a number, a plot, and a table of its lines. */
function card({ id, title, headline, workers }: Chart): string {
  const heading = escapeHtml(title)
  const first = workers === undefined ? 'Line' : 'Worker (pid)'
  return (
    `<section class="card" id="${id}" aria-labelledby="${id}-title">` +
    `<h2 id="${id}-title">${heading}</h2>` +
    `<p class="headline"><strong><span class="number">–</span><span class="unit"></span></strong>` +
    `<span class="note">${escapeHtml(headline.note)}</span></p>` +
    `<div class="stage"><div class="plot" role="img" aria-label="${heading}"></div>` +
    `<p class="none">Nothing measured yet</p></div>` +
    `<table class="legend" aria-labelledby="${id}-title"><thead><tr><th scope="col">${first}</th>` +
    `<th scope="col" class="when">Now</th><th scope="col">Min</th><th scope="col">Max</th></tr>` +
    `</thead><tbody></tbody></table></section>`
  )
}

/** The markup of a table that can be sorted by each column; filled by the script. */
interface RankedTableOptions {
  readonly id: string
  readonly title: string
  /** What it is about, and over which time. */
  readonly note: string
  readonly columns: readonly string[]
}

const tables: readonly RankedTableOptions[] = [
  {
    id: 'routes',
    title: 'Routes',
    note: 'Errors are responses with status 500 and above.',
    columns: ['Route', 'Rate', 'p50', 'p99', 'Errors'],
  },
  {
    id: 'statements',
    title: 'Slowest queries',
    note: 'From the last five to ten minutes. Values are left out; below each is a line of code that sends it.',
    columns: ['Statement', 'Runs', 'Mean', 'Slowest'],
  },
]

/** The tables of routes and statements. */
const rankedTables = tables.map(rankedTable).join('')

function rankedTable({ id, title, note, columns }: RankedTableOptions): string {
  const headers = columns.map(
    (column) => `<th scope="col"><button type="button">${column}</button></th>`,
  )
  return (
    `<section class="all" id="${id}" aria-labelledby="${id}-title" hidden>` +
    `<h2 id="${id}-title">${title}</h2><p class="note">${note} <span class="shown"></span></p>` +
    `<div class="scroll" role="group" aria-label="Table: ${title}" tabindex="0">` +
    `<table class="series ranked" aria-labelledby="${id}-title"><thead><tr>${headers.join('')}</tr>` +
    `</thead><tbody></tbody></table></div></section>`
  )
}

const allSeries =
  `<section class="all live" aria-labelledby="all-title" hidden><h2 id="all-title">All series</h2>` +
  `<div class="find"><label for="search">Search <input id="search" type="search" ` +
  `placeholder="Words of a name or label" autocomplete="off" spellcheck="false"></label>` +
  `<p id="found" role="status"></p></div>` +
  `<div class="scroll" role="group" aria-label="Table of all series" tabindex="0">` +
  `<table class="series"><thead><tr><th scope="col">Name</th><th scope="col">Labels</th>` +
  `<th scope="col">Value</th></tr></thead><tbody id="series"></tbody></table></div></section>`

function footer(average: number): string {
  return (
    `<footer class="live" hidden><p>Rates and percentiles are averages over ${average} ` +
    `seconds, over twice as long where several workers tell theirs in turn. ` +
    `Percentiles are estimated from the buckets of the histogram: what took longer than its last ` +
    `bound counts as that bound. The last five minutes are kept in this page only.</p></footer>`
  )
}

/** Templates cloned by the script: a row for a line of a chart, and one for a series. */
const rowTemplates =
  `<template id="legend-row"><tr><th scope="row">` +
  `<svg class="swatch" viewBox="0 0 24 14" aria-hidden="true"><path class="line" d="M1 7h22"/>` +
  `<path class="mark" d=""/></svg><span data-cell></span></th>` +
  `<td data-cell></td><td data-cell></td><td data-cell></td></tr></template>` +
  `<template id="series-row"><tr><th scope="row" data-cell></th><td data-cell></td>` +
  `<td data-cell></td></tr></template>`

const cells = (count: number): string => '<td data-cell></td>'.repeat(count)

/** Templates of their rows, cloned by the script. */
const rankedTemplates =
  `<template id="routes-row"><tr><th scope="row" data-cell></th>${cells(4)}</tr></template>` +
  `<template id="statements-row"><tr><th scope="row"><code data-cell></code>` +
  `<small data-cell></small></th>${cells(3)}</tr></template>`

function scripts(nonce: string): string {
  const { script, style } = plotFiles()
  const attribute = nonceAttribute(nonce)
  const map = JSON.stringify({ imports: { uplot: `./${script.url}` } })
  return (
    `<link rel="stylesheet" href="${style.url}"${attribute}>` +
    `<script type="importmap"${attribute}>${map}</script>` +
    `<script type="module" src="${pageModule}"${attribute}></script>`
  )
}

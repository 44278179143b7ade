import { escapeHtml } from '../../base/encoding/escape-html.ts'
import { htmlDocument, nonceAttribute } from '../../errors/reports/html-document.ts'
import { card, rowTemplates } from './card.ts'
import { charts } from './in-page/charts.ts'
import { pageModule } from './page-modules.ts'
import { pageStyle } from './page-style.ts'
import { rankedTables, rankedTemplates } from './ranked-table.ts'

/** Options of the dashboard. */
export interface DashboardOptions {
  /** For the inline style and the script. */
  readonly nonce: string
  /** URL of the JSON document on this site. @default the URL of the page */
  readonly source?: string
  /** URL of the slowest statements. @default 'metrics/statements', relative to that of the page */
  readonly statements?: string
  /** URL of the metrics as events; '' if the page is to poll. @default 'metrics/events' */
  readonly events?: string
  /** URL of the text format, for browsers without JavaScript. @default '?format=text' */
  readonly text?: string
  /** Seconds between two readings, at least 0.1. @default 2 */
  readonly refresh?: number
  /**
   * Seconds over which rates and percentiles are averaged. Should be the interval of worker dumps, since
   * the scraped worker does not know what the others have counted since their last dump.
   * @default 10
   */
  readonly average?: number
}

/**
 * The page that browsers get at /metrics. It draws the JSON of the same URL, loads nothing but the
 * modules of `in-page/`, and keeps the last five minutes.
 */
export function metricsDashboard(options: DashboardOptions): string {
  const { nonce, source = '', text = '?format=text' } = options
  const { statements = 'metrics/statements', events = 'metrics/events' } = options
  const refresh = Math.max(0.1, finite(options.refresh, 2))
  const average = Math.max(0, finite(options.average, 10))
  const body =
    `${header(escapeHtml(text))}<main>${withoutScript(escapeHtml(text))}` +
    `<div class="cards live" hidden>${charts.map(card).join('')}</div>${rankedTables}` +
    `${allSeries}</main>${footer(average)}${rowTemplates}${rankedTemplates}` +
    `<script type="module" src="${pageModule}"${nonceAttribute(nonce)}></script>`
  const data = { source, statements, refresh, average, events }
  return htmlDocument({ title: 'Metrics', style: pageStyle, body, nonce, data })
}

function finite(value: number | undefined, otherwise: number): number {
  return value !== undefined && Number.isFinite(value) ? value : otherwise
}

function header(text: string): string {
  return (
    `<header><nav><a href="/">Back to the site</a></nav><div class="bar"><h1>Metrics</h1><div class="tools">` +
    `<p class="connection live" hidden><span id="state" role="status">Connecting</span>` +
    `<span id="updated"></span></p>` +
    `<button class="live" type="button" id="pause" hidden>Pause</button>` +
    `<a href="${text}">Text form</a></div></div><dl class="facts live" hidden>` +
    fact('workers', 'Workers') +
    fact('uptime', 'Up for') +
    fact('requests', 'Requests in all') +
    fact('exceptions', 'Exceptions in all') +
    `</dl></header>`
  )
}

function fact(id: string, name: string): string {
  return `<div><dt>${name}</dt><dd id="fact-${id}">–</dd></div>`
}

// Not <noscript>: it would not be shown if a script is blocked or fails.
function withoutScript(text: string): string {
  return (
    `<p class="scriptless" id="scriptless">This page draws its charts with JavaScript, which does ` +
    `not run here. The same numbers are there <a href="${text}">as text</a>.</p>`
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

import { join } from 'node:path'
import { Views } from '../../base/templates/views.ts'
import { htmlDocument, nonceAttribute } from '../../errors/reports/html-document.ts'
import { html } from '../../errors/reports/page-text.ts'
import { inspectorPath } from '../inspector/inspector-path.ts'
import type { ToolFrame } from '../tools.ts'
import { charts } from './in-page/charts.ts'
import { formatValue } from './in-page/format-value.ts'
import { pointOfStep, ratesOver } from './in-page/history.ts'
import type { PastStep } from './in-page/past.ts'
import { routeRows, topRows } from './in-page/tables.ts'
import { verdictOf } from './in-page/verdict.ts'
import { pageModule, plotFiles } from './page-files.ts'

/** Options of the dashboard. */
export interface DashboardOptions extends ToolFrame {
  /** URL of the metrics as events; '' if the page is to poll. @default 'metrics/events' */
  readonly events?: string
  /** Seconds between two readings. */
  readonly refresh: number
  /** What is known of the last hour. @default [] */
  readonly past?: readonly PastStep[]
  /** The range of the charts: one of `ranges`. @default the shortest in which all of `past` fits */
  readonly minutes?: number
}

const ranges = [5, 15, 60] as const
const views = new Views(join(import.meta.dirname, 'views'), { escape: html })

/**
 * The page that browsers get at /metrics. It draws the JSON of the same URL and the last hour, and loads nothing
 * but the modules of `in-page/` and uPlot. Without a script it has the same numbers as tables.
 */
export function metricsDashboard(options: DashboardOptions): string {
  const { nonce, tools, refresh, events = 'metrics/events', past = [] } = options
  const now = past.at(-1)?.at ?? 0
  const known = now - (past[0]?.at ?? now)
  const fitting = ranges.find((minutes) => known <= minutes * 60) ?? 60
  const span = 60 * (ranges.find((minutes) => minutes === options.minutes) ?? fitting)
  const shown = past.filter(({ at }) => at > now - span)
  const links = [inspectorPath, '/errors'].filter((path) => tools.includes(`href="${path}"`))
  const verdict = verdictOf(past, links, utc)
  const all = { ...plotFiles(), ...numbersOf(shown), charts, ranges, pageModule }
  const body = views.render('dashboard', all, {
    verdict,
    span,
    links,
    attribute: nonceAttribute(nonce),
  })
  const data = { refresh, events, span, links: links.join(' ') }
  return htmlDocument({ title: 'Metrics', page: 'metrics', body, nonce, tools, data })
}

/** The numbers of the charts and of the routes, for a browser without a script. */
function numbersOf(past: readonly PastStep[]): object {
  const points = past.map(pointOfStep)
  const numbers = charts.map(({ title, headline: { key, unit, note } }) => {
    const values = points.flatMap(({ values: all }) => all.get(key) ?? [])
    const now = formatValue(points.at(-1)?.values.get(key) ?? null, unit)
    return {
      title,
      note,
      now,
      most: formatValue(values.length > 0 ? Math.max(...values) : null, unit),
    }
  })
  const rates = ratesOver({ steps: past, sample: null }, Infinity)
  const rows = topRows(routeRows({ counters: rates }, rates), { column: 1, descending: true }, 20)
  return { numbers: past.length > 0 ? numbers : [], rows: rows.map(({ texts }) => texts) }
}

/** A time of day; the script shows that of the browser. */
function utc(at: number): string {
  return `${new Date(at * 1_000).toISOString().slice(11, 16)} UTC`
}

import type { Chart } from './charts.ts'
import { formatValue } from './format-value.ts'
import type { Line } from './lines.ts'

/** The text alternative of a chart. */
export function alternativeOf(chart: Chart, lines: readonly Line[], minutes: number): string {
  const values = lines.map(({ name, value }) =>
    value === null ? name + ' unknown' : name + ' ' + formatValue(value, chart.unit),
  )
  const text = values.length === 0 ? 'nothing measured yet' : values.join(', ')
  return chart.title + ' over the last ' + minutes + ' minutes: ' + text
}

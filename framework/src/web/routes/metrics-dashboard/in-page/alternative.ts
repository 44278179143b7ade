import type { Chart } from './charts.ts'
import { formatValue } from './format-value.ts'
import type { Line } from './lines.ts'

/** What a chart shows, in words. */
export function alternativeOf(chart: Chart, lines: readonly Line[], minutes: number): string {
  const values = lines.map(({ name, value }) =>
    value === null ? name + ' not known' : name + ' ' + formatValue(value, chart.unit),
  )
  const told = values.length === 0 ? 'nothing measured yet' : values.join(', ')
  return chart.title + ' over the last ' + minutes + ' minutes: ' + told
}

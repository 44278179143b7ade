import * as alternative from './in-page/alternative.ts'
import * as delay from './in-page/delay.ts'
import * as drawing from './in-page/drawing.ts'
import * as facts from './in-page/facts.ts'
import * as formatValue from './in-page/format-value.ts'
import * as history from './in-page/history.ts'
import * as increase from './in-page/increase.ts'
import * as lines from './in-page/lines.ts'
import * as mark from './in-page/mark.ts'
import * as point from './in-page/point.ts'
import * as quantile from './in-page/quantile.ts'
import * as sample from './in-page/sample.ts'
import * as scale from './in-page/scale.ts'
import * as seriesRows from './in-page/series-rows.ts'
import * as step from './in-page/step.ts'

const modules: readonly object[] = [
  alternative,
  delay,
  drawing,
  facts,
  formatValue,
  history,
  increase,
  lines,
  mark,
  point,
  quantile,
  sample,
  scale,
  seriesRows,
  step,
]

/**
 * The functions of `in-page/` as text for the browser. They are written so that this can be done:
 * each is exported, and names nothing but itself, its parameters, the others and the language.
 */
export const pageFunctions: string = modules
  .flatMap((module) => Object.values(module))
  .map((member) => String(member).replaceAll(/\n\s*/g, '\n'))
  .join('\n')

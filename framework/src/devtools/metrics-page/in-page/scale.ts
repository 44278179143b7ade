/** An axis from zero. */
export interface Scale {
  readonly top: number
  readonly ticks: readonly number[]
}

/**
 * An axis up to at least `most` and `reach`, with three to six ticks at round numbers; `whole` allows
 * only whole numbers.
 */
export function scaleOf(most: number, reach: number, whole: boolean): Scale {
  const wanted = Math.max(most, reach)
  const rough = wanted / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 2.5, 5].find((nice) => nice * power >= rough * 0.999) ?? 10
  const step = whole ? Math.max(1, Math.ceil(factor * power)) : factor * power
  const count = Math.max(1, Math.ceil(wanted / step - 0.001))
  // Multiplied rather than added, and rounded, to avoid 0.30000000000000004.
  const ticks = Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)))
  return { top: ticks.at(-1) ?? step, ticks }
}

/** How a cost may grow when what it depends on grows. */
export const Shapes = {
  /** Not at all. */
  Constant: 'constant',
  /** As the height of an index does. */
  Logarithmic: 'logarithmic',
  /** Ten times as much for ten times as many. */
  Linear: 'linear',
} as const
export type Shapes = (typeof Shapes)[keyof typeof Shapes]

/**
 * The highest exponent of each: what is `k` times as large costs `k` to this power times as much. An index of a million
 * rows is half as high again as one of ten thousand, which is an exponent of 0.09; beyond the caches of the processor it
 * is more.
 */
const bounds: Readonly<Record<Shapes, number>> = {
  [Shapes.Constant]: 0.1,
  [Shapes.Logarithmic]: 0.25,
  [Shapes.Linear]: 1.1,
}

/** Something that is measured at one size. */
export interface Case {
  /** One measurement, in the unit of the curve. */
  readonly measure: () => Promise<number>
  readonly close?: () => Promise<unknown>
}

/** A cost and what it depends on. */
export interface Curve {
  /** Curves of the same group have a picture together. */
  readonly group: string
  readonly name: string
  readonly unit: 'µs' | 'bytes'
  readonly shape: Shapes
  /** Of each size; those of a group are equal. */
  readonly cases: ReadonlyMap<number, Case>
}

/** A curve as it was measured. */
export interface Drawn extends Omit<Curve, 'cases'> {
  /** The median at each size, in ascending order. */
  readonly points: readonly (readonly [size: number, cost: number])[]
  /** Over its upper half: small sizes show what every call costs. */
  readonly exponent: number
  readonly holds: boolean
}

/** Judges the medians of a curve. */
export function drawn({ cases: _cases, ...curve }: Curve, points: Drawn['points']): Drawn {
  const upper = points.slice(Math.floor((points.length - 1) / 2))
  const [first, last] = [upper.at(0), upper.at(-1)]
  const exponent =
    first === undefined || last === undefined || first === last
      ? NaN
      : Math.log(last[1] / first[1]) / Math.log(last[0] / first[0])
  return { ...curve, points, exponent, holds: exponent <= bounds[curve.shape] }
}

/** Microseconds that a call takes, over as many as fit into the time. */
export async function microsOf(
  call: (at: number) => unknown,
  milliseconds: number = 60,
): Promise<number> {
  const startMs = performance.now()
  let calls = 0
  let tookMs = 0
  while (tookMs < milliseconds) {
    await call(calls)
    calls += 1
    tookMs = performance.now() - startMs
  }
  return (tookMs * 1_000) / calls
}

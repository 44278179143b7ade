/** What happens to the spans of a trace in this process. */
export const Decisions = {
  /** Nothing is recorded; ids are still made for log lines and outgoing requests. */
  Drop: 0,
  Record: 1,
  /** Kept in memory until the end, and exported only if it failed or was slow. */
  Late: 2,
} as const
Object.freeze(Decisions)
export type Decisions = (typeof Decisions)[keyof typeof Decisions]

/** The values of OTEL_TRACES_SAMPLER. */
export const Samplers = {
  AlwaysOn: 'always_on',
  AlwaysOff: 'always_off',
  Ratio: 'traceidratio',
  ParentOn: 'parentbased_always_on',
  ParentOff: 'parentbased_always_off',
  ParentRatio: 'parentbased_traceidratio',
} as const
Object.freeze(Samplers)
export type Samplers = (typeof Samplers)[keyof typeof Samplers]

/** What a decision depends on. */
export interface SamplingContext {
  /** Whether the parent was recorded; null without a parent whose decision counts. */
  readonly parentSampled: boolean | null
  /** Whether the trace begins in this process. */
  readonly isOwnRoot: boolean
  /** The last 56 bits of the trace id. */
  readonly randomness: number
}

/** Decides about a trace when it reaches this process. */
export type Sampler = (context: SamplingContext) => Decisions

const range = 2 ** 56

/**
 * The sampler with this name. Null is the default: as `parentbased_traceidratio`, but what fails or is
 * slow is exported beyond the ratio if the trace begins here.
 */
export function samplerOf(name: Samplers | null, ratio: number): Sampler {
  const threshold = thresholdOf(ratio)
  // The same trace is recorded by every service with the same ratio, or a greater one.
  const byRatio: Sampler = ({ randomness }) =>
    randomness >= threshold ? Decisions.Record : Decisions.Drop
  if (name === null) return lateIfDropped(byParent(byRatio))
  const samplers: Readonly<Record<Samplers, Sampler>> = {
    always_on: always(Decisions.Record),
    always_off: always(Decisions.Drop),
    traceidratio: byRatio,
    parentbased_always_on: byParent(always(Decisions.Record)),
    parentbased_always_off: byParent(always(Decisions.Drop)),
    parentbased_traceidratio: byParent(byRatio),
  }
  return samplers[name]
}

/** Traces that begin here are dropped at once if their randomness is below this. */
export function droppedBelow(name: Samplers | null, ratio: number): number {
  if (name === Samplers.AlwaysOff || name === Samplers.ParentOff) return Number.POSITIVE_INFINITY
  return name === Samplers.Ratio || name === Samplers.ParentRatio ? thresholdOf(ratio) : 0
}

function thresholdOf(ratio: number): number {
  return ratio === 0 ? Number.POSITIVE_INFINITY : (1 - ratio) * range
}

function always(decision: Decisions): Sampler {
  return () => decision
}

function byParent(root: Sampler): Sampler {
  return (context) => {
    if (context.parentSampled === null) return root(context)
    return context.parentSampled ? Decisions.Record : Decisions.Drop
  }
}

function lateIfDropped(sampler: Sampler): Sampler {
  return (context) => {
    const decision = sampler(context)
    return decision === Decisions.Drop && context.isOwnRoot ? Decisions.Late : decision
  }
}

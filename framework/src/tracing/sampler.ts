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
  switch (name) {
    case Samplers.AlwaysOn:
      return always(Decisions.Record)
    case Samplers.AlwaysOff:
      return always(Decisions.Drop)
    case Samplers.Ratio:
      return byRatio
    case Samplers.ParentOn:
      return byParent(always(Decisions.Record))
    case Samplers.ParentOff:
      return byParent(always(Decisions.Drop))
    case Samplers.ParentRatio:
      return byParent(byRatio)
    case null:
    default:
      return lateIfDropped(byParent(byRatio))
  }
}

/** Traces that begin here are dropped at once if their randomness is below this. */
export function droppedBelow(name: Samplers | null, ratio: number): number {
  switch (name) {
    case Samplers.AlwaysOff:
    case Samplers.ParentOff:
      return Number.POSITIVE_INFINITY
    case Samplers.Ratio:
    case Samplers.ParentRatio:
      return thresholdOf(ratio)
    case Samplers.AlwaysOn:
    case Samplers.ParentOn:
    case null:
    default:
      return 0
  }
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

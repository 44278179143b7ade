import { isSafe } from '../request/request.ts'
import type { Middleware } from './middleware.ts'
import { Phases } from './phases.ts'
import type { MiddlewarePhase } from './phases.ts'

/** What a chain is for. */
export interface ChainPurpose {
  readonly method: string
  /** Whether a handler follows, rather than a 404 or 405. */
  readonly isRouted: boolean
}

const order: readonly Phases[] = Object.values(Phases)

/** For forms and other requests that may change something; the others skip them. */
const unsafePhases: ReadonlySet<Phases | null> = new Set<Phases>([
  Phases.Origin,
  Phases.Token,
  Phases.Once,
  Phases.Body,
])

/**
 * The middlewares of a chain in the order in which they run, from the order in which they were written.
 * `origin` and `limits` come first of all. From there on a middleware that names no phase runs where it
 * was written: nothing moves past it, so whatever protected it in the written order still does. Those
 * between two such middlewares run in the order of their phases.
 */
export function orderChain(
  written: readonly Middleware[],
  { method, isRouted }: ChainPurpose,
): Middleware[] {
  const steps = written
    .flatMap(stepsOf)
    .filter((step) => !isSafe(method) || !unsafePhases.has(phaseOf(step)))
  const chain = inPhases(steps.filter(isFirst))
  let waiting: Middleware[] = []
  for (const step of steps.filter((one) => !isFirst(one))) {
    if (phaseOf(step) !== null) waiting.push(step)
    else {
      chain.push(...inPhases(waiting), step)
      waiting = []
    }
  }
  // Nothing but a 404 or 405 follows, for which no form need be read.
  if (!isRouted) waiting = waiting.filter((step) => !unsafePhases.has(phaseOf(step)))
  return [...chain, ...inPhases(waiting)]
}

/** The phase that a middleware names; null if it runs where it is written. */
export function phaseOf(middleware: Middleware): MiddlewarePhase | null {
  return typeof middleware === 'object' ? (middleware.phase ?? null) : null
}

/** Whether a middleware, or one of its steps, runs in a phase. */
export function runsIn(middleware: Middleware, phase: MiddlewarePhase): boolean {
  return stepsOf(middleware).some((step) => phaseOf(step) === phase)
}

/** Whether it runs before those of the server, even if a route has it. */
export function isFirst(middleware: Middleware): boolean {
  const phase = phaseOf(middleware)
  return phase === Phases.Origin || phase === Phases.Limits
}

function stepsOf(middleware: Middleware): readonly Middleware[] {
  return (typeof middleware === 'object' ? middleware.steps : undefined) ?? [middleware]
}

function inPhases(steps: readonly Middleware[]): Middleware[] {
  const rank = (step: Middleware): number => order.indexOf(phaseOf(step) ?? Phases.Handler)
  return steps.toSorted((one, other) => rank(one) - rank(other))
}

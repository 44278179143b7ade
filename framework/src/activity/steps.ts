import { performance } from 'node:perf_hooks'
import { FrameworkError } from '../base/errors.ts'
import { callSiteIn, captureStack } from './caller.ts'
import type { CallSite } from './caller.ts'
import { noteFailedStep } from './failed-step.ts'
import { Crumbs, crumbSteps } from './crumbs.ts'
import { CurrentWork } from './current-work.ts'
import type { WorkContext } from './current-work.ts'
import { StepKinds } from './step.ts'
import type { Step, StepWatcher } from './step.ts'
import type { Activity } from './activity.ts'

/** Tells watchers what the process does, step by step: statements, commands, letters. */
export class Steps {
  /** The steps of this process. */
  static readonly Instance: Steps = new Steps()

  #added: readonly StepWatcher[] = []
  #watchers: readonly Watching[] = []
  // Shorter ones that succeed interest nobody, but for the two below.
  #minMs = Number.POSITIVE_INFINITY
  #countsStatements = false
  #leavesCrumbs = false
  #watchesTraced = false
  #wantsSpans = false
  #wantsCallers = false
  // Only those who know the callers of all steps tell one call from several.
  #tellsCallsApart = false

  /**
   * Adds a watcher. Returns a function that removes it. One that was added several times, such as
   * `countStatements`, still gets each step once, until all who added it have removed it.
   */
  watch(watcher: StepWatcher): () => void {
    this.#replace([...this.#added, watcher])
    let isAdded = true
    return () => {
      if (isAdded) this.#replace(this.#added.toSpliced(this.#added.indexOf(watcher), 1))
      isAdded = false
    }
  }

  /** Whether anybody watches. */
  get areWatched(): boolean {
    return this.#watchers.length > 0
  }

  /**
   * Whether a statement that succeeded need not become a step: nobody watches short ones. It is then
   * counted here.
   */
  skipsStatement(text: string, startMs: number, endMs: number): boolean {
    const durationMs = endMs - startMs
    if (durationMs >= this.#minMs) return false
    if (!this.#countsStatements && !this.#watchesTraced && !this.#leavesCrumbs) return true
    const context = CurrentWork.context()
    const { activity } = context
    if (this.#watchesTraced && (activity === null ? context.span !== null : activity.hasSpan)) {
      return false
    }
    if (activity === null) return true
    if (this.#countsStatements) countStatement(activity, durationMs)
    if (this.#leavesCrumbs) {
      Crumbs.leave(activity, { kind: 'sql', name: '', text, startMs, durationMs, failure: null })
    }
    return true
  }

  /** Begins a step, by default now; null if nobody watches. */
  begin(
    kind: StepKinds,
    name: string,
    text = '',
    system = '',
    startMs: number = performance.now(),
  ): OpenStep | null {
    if (this.#watchers.length === 0) return null
    return new OpenStep(kind, name, text, system, startMs, this)
  }

  /** Begins a span that the project named; null if nobody wants those. */
  beginSpan(name: string): OpenStep | null {
    return this.#wantsSpans ? this.begin(StepKinds.Span, name) : null
  }

  /** Runs `work` as a step; its error, if it fails, is passed on. */
  measure<T>(kind: StepKinds, name: string, work: () => Promise<T>, text = ''): Promise<T> {
    const step = this.begin(kind, name, text)
    if (step === null) return work()
    const working = work()
    step.leave()
    return settle(step, working)
  }

  /** Runs `work` as a later part of a call, which does not count as a call of its own. */
  continuing<T>(work: () => T): T {
    return this.#tellsCallsApart ? CurrentWork.runContinuation(work) : work()
  }

  /** Whether a watcher reads the caller of this step. */
  wantsCaller(step: Step): boolean {
    return (
      this.#wantsCallers &&
      this.#watchers.some(({ watcher: { wantsCallers = false } }) =>
        typeof wantsCallers === 'boolean' ? wantsCallers : wantsCallers(step),
      )
    )
  }

  /** Passes a step on. For `OpenStep` only. */
  ended(step: Step): void {
    tell(this.#watchers, step)
  }

  #replace(added: readonly StepWatcher[]): void {
    this.#added = added
    this.#watchers = Array.from(new Set(added), (watcher) => {
      return { watcher, minMs: watcher.minMs ?? 0 }
    })
    this.#countsStatements = added.includes(countStatements)
    this.#leavesCrumbs = added.includes(crumbSteps)
    this.#watchesTraced = added.some(({ onlyTraced = false }) => onlyTraced)
    this.#wantsSpans = added.some(({ wantsSpans = false }) => wantsSpans)
    const others = added.filter(
      (one) => one !== countStatements && one !== crumbSteps && one.onlyTraced !== true,
    )
    this.#minMs = Math.min(...others.map(({ minMs = 0 }) => minMs))
    this.#wantsCallers = added.some(({ wantsCallers = false }) => wantsCallers !== false)
    this.#tellsCallsApart = added.some(({ wantsCallers = false }) => wantsCallers === true)
  }
}

/** A watcher, and the shortest steps that it gets. */
interface Watching {
  readonly watcher: StepWatcher
  readonly minMs: number
}

function tell(watchers: readonly Watching[], step: Step): void {
  for (const { watcher, minMs } of watchers) {
    if (step.durationMs < minMs && step.failure === null) continue
    try {
      watcher.ended(step)
    } catch {
      // A watcher must not fail the work that it watches.
    }
  }
}

async function settle<T>(step: OpenStep, working: Promise<T>): Promise<T> {
  try {
    const result = await working
    step.end(0, null)
    return result
  } catch (thrown) {
    step.end(0, failureCode(thrown))
    noteFailedStep(thrown, step)
    throw thrown
  }
}

/** The code of an error of the framework; `error` for any other. */
export function failureCode(thrown: unknown): string {
  return thrown instanceof FrameworkError ? thrown.code : 'error'
}

/** A step that goes on. */
export class OpenStep implements Step {
  readonly kind: StepKinds
  name: string
  readonly text: string
  readonly system: string
  readonly context: WorkContext
  readonly startMs: number
  durationMs = 0
  count = 0
  failure: string | null = null
  readonly #steps: Steps
  #stack: Error | null = null
  #caller: CallSite | null | undefined = undefined
  /** Whether watchers look at it, below the code that waits for it. */
  #isEnding = false

  constructor(
    kind: StepKinds,
    name: string,
    text: string,
    system: string,
    startMs: number,
    steps: Steps,
  ) {
    this.kind = kind
    this.name = name
    this.text = text
    this.system = system
    this.context = CurrentWork.context()
    this.#steps = steps
    this.startMs = startMs
  }

  /**
   * Says that it ends later, from elsewhere. Call it from the code that began the step; its stack is kept
   * for `caller` if a watcher wants that.
   */
  leave(): void {
    if (this.#steps.wantsCaller(this)) this.#stack = captureStack(captureStack)
  }

  /** Ends it, by default now, and passes it to the watchers. */
  end(count: number, failure: string | null, endMs: number = performance.now()): void {
    this.durationMs = endMs - this.startMs
    this.count = count
    this.failure = failure
    this.#isEnding = true
    this.#steps.ended(this)
    this.#isEnding = false
  }

  get caller(): CallSite | null {
    if (this.#caller === undefined) this.#caller = this.#findCaller()
    return this.#caller
  }

  // While watchers look at it, a step is below its caller, on the stack or across the awaits of async
  // functions: nothing had to be kept. Only work that is awaited elsewhere needs the stack of its start.
  #findCaller(): CallSite | null {
    const stack = this.#stack ?? (this.#isEnding ? captureStack(tell) : null)
    return stack === null ? null : callSiteIn(stack)
  }
}

/**
 * Counts the statements of each activity and adds up their durations. For this alone statements need not
 * become steps: `Steps.skipsStatement` counts the others.
 */
export const countStatements: StepWatcher = {
  ended({ kind, context: { activity }, durationMs }) {
    if (kind === StepKinds.Sql && activity !== null) countStatement(activity, durationMs)
  },
}

/** Counts one statement. */
function countStatement(activity: Activity, durationMs: number): void {
  activity.statements += 1
  activity.statementMs += durationMs
}

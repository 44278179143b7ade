import { performance } from 'node:perf_hooks'
import { FrameworkError } from '../../base/errors.ts'
import { callSiteIn, captureStack } from './caller.ts'
import type { CallSite } from './caller.ts'
import { noteFailedStep } from './failed-step.ts'
import { Scopes } from './scopes.ts'
import type { Scope } from './scopes.ts'
import type { Step, StepKinds, StepWatcher } from './step.ts'

/** Tells watchers what the process does, step by step: statements, commands, letters. */
export class Steps {
  /** The steps of this process. */
  static readonly Instance: Steps = new Steps()

  #watchers: readonly StepWatcher[] = []
  #wantsCallers = false

  /** Adds a watcher. Returns a function that removes it. */
  watch(watcher: StepWatcher): () => void {
    this.#replace([...this.#watchers, watcher])
    return () => this.#replace(this.#watchers.filter((one) => one !== watcher))
  }

  /** Begins a step; null if nobody watches. */
  begin(kind: StepKinds, name: string, text = ''): OpenStep | null {
    if (this.#watchers.length === 0) return null
    return new OpenStep(kind, name, text, this)
  }

  /** Runs `work` as a step; its error, if it fails, is passed on. */
  measure<T>(kind: StepKinds, name: string, work: () => Promise<T>): Promise<T> {
    const step = this.begin(kind, name)
    if (step === null) return work()
    const working = work()
    step.leave()
    return settle(step, working)
  }

  /** Whether a watcher reads the caller of this step. */
  wantsCaller(step: Step): boolean {
    return (
      this.#wantsCallers &&
      this.#watchers.some(({ wantsCallers = false }) =>
        typeof wantsCallers === 'boolean' ? wantsCallers : wantsCallers(step),
      )
    )
  }

  /** Passes a step on. For `OpenStep` only. */
  ended(step: Step): void {
    for (const watcher of this.#watchers) {
      try {
        watcher.ended(step)
      } catch {
        // A watcher must not fail the work that it watches.
      }
    }
  }

  #replace(watchers: readonly StepWatcher[]): void {
    this.#watchers = watchers
    this.#wantsCallers = watchers.some(({ wantsCallers = false }) => wantsCallers !== false)
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
function failureCode(thrown: unknown): string {
  return thrown instanceof FrameworkError ? thrown.code : 'error'
}

/** A step that goes on. */
export class OpenStep implements Step {
  readonly kind: StepKinds
  name: string
  readonly text: string
  readonly scope: Scope
  readonly startMs: number
  durationMs = 0
  count = 0
  failure: string | null = null
  readonly #steps: Steps
  #stack: Error | null = null
  #caller: CallSite | null | undefined = undefined
  /** Whether the code that began it is still on the stack. */
  #isBeginning = true

  constructor(kind: StepKinds, name: string, text: string, steps: Steps) {
    this.kind = kind
    this.name = name
    this.text = text
    this.scope = Scopes.current()
    this.#steps = steps
    this.startMs = performance.now()
  }

  /**
   * Says that it ends later, from elsewhere. Call it from the code that began the step, whose stack is
   * kept for `caller`.
   */
  leave(): void {
    this.#isBeginning = false
    if (this.#steps.wantsCaller(this)) this.#stack = captureStack(this.leave)
  }

  /** Ends it and passes it to the watchers. */
  end(count: number, failure: string | null): void {
    this.durationMs = performance.now() - this.startMs
    this.count = count
    this.failure = failure
    this.#steps.ended(this)
    this.#isBeginning = false
  }

  get caller(): CallSite | null {
    if (this.#caller === undefined) this.#caller = this.#findCaller()
    return this.#caller
  }

  // A synchronous step is still below its caller while watchers look at it: nothing had to be kept.
  #findCaller(): CallSite | null {
    const stack = this.#stack ?? (this.#isBeginning ? captureStack(this.end) : null)
    return stack === null ? null : callSiteIn(stack)
  }
}

import { chainOf } from '../errors/stack/error-chain.ts'
import { noteFailedCall } from '../errors/stack/frames.ts'
import type { Step, StepWatcher } from './step.ts'

const steps = new WeakMap<Error, Step>()

/** Remembers which step failed with an error, for reports. */
export function noteFailedStep(error: unknown, step: Step): void {
  if (!(error instanceof Error)) return
  steps.set(error, step)
  noteFailedCall(error, step)
}

/**
 * Makes sure that statements are steps, whatever else watches them, so that reports can name a failed
 * one. Its caller is looked up now: a synchronous statement is still below it, and the stack of its
 * error may be too short to reach it.
 */
export const keepFailedSteps: StepWatcher = {
  minMs: Number.POSITIVE_INFINITY,
  ended(step) {
    void step.caller
  },
}

/** The step that failed with an error or one of its causes, and that one; null if none did. */
export function failedStepOf(thrown: Error): { readonly step: Step; readonly error: Error } | null {
  for (const { error } of chainOf(thrown)) {
    const step = steps.get(error)
    if (step !== undefined) return { step, error }
  }
  return null
}

import { chainOf } from '../../base/stack/error-chain.ts'
import type { Step } from './step.ts'

const steps = new WeakMap<Error, Step>()

/** Remembers which step failed with an error, for reports. */
export function noteFailedStep(error: unknown, step: Step): void {
  if (error instanceof Error) steps.set(error, step)
}

/** A step, and the error it failed with. */
export interface FailedStep {
  readonly step: Step
  readonly error: Error
}

/** The step that failed with an error or one of its causes; null if none did. */
export function failedStepOf(thrown: Error): FailedStep | null {
  for (const { error } of chainOf(thrown)) {
    const step = steps.get(error)
    if (step !== undefined) return { step, error }
  }
  return null
}

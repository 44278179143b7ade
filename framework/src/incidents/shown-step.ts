import { fileLabel } from '../errors/stack/file-label.ts'
import type { IncidentStep } from './incident.ts'

/** A failed step as exports show it. */
export interface ShownStep {
  readonly kind: string
  readonly name: string
  /** The statement without its values. */
  readonly text: string
  readonly durationMs: number
  /** File and line of the project that caused it, `orders/store.ts:12`; empty if there is none. */
  readonly caller: string
}

/** Shortens a step; its file is relative to `root`. */
export function shownStep({ caller, ...step }: IncidentStep, root: string): ShownStep {
  return {
    kind: step.kind,
    name: step.name,
    text: step.text,
    durationMs: Math.round(step.durationMs * 1_000) / 1_000,
    caller: caller === null ? '' : `${fileLabel(caller.file, root)}:${caller.line}`,
  }
}

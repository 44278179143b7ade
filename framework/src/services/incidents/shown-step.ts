import { maskText } from '../../base/mask-text.ts'
import { fileLabel } from '../../base/stack/file-label.ts'
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

const maxTextLength = 2_000

/** Shortens a step; its file is relative to `root`. */
export function shownStep({ caller, ...step }: IncidentStep, root: string): ShownStep {
  return {
    kind: step.kind,
    name: step.name,
    text: maskText(step.text).slice(0, maxTextLength),
    durationMs: Math.round(step.durationMs * 1_000) / 1_000,
    caller: caller === null ? '' : `${fileLabel(caller.file, root)}:${caller.line}`,
  }
}

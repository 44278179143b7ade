import { maskText } from '../base/mask-text.ts'
import { shownStatement } from './shown-statement.ts'
import { StepKinds } from './step.ts'
import type { Step } from './step.ts'

/** The text of a step for logs and pages. */
export function shownText({ kind, text }: Step): string {
  return kind === StepKinds.Sql ? shownStatement(text) : maskText(text)
}

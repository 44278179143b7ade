import { redactFields } from '../base/redact.ts'
import { describe } from '../errors/reports/description.ts'
import type { Description } from '../errors/reports/description.ts'
import type { ReportContext } from '../errors/throwables/throwables.ts'
import type { Activity, SpanIds } from '../activity/activity.ts'
import { callSiteIn } from '../activity/caller.ts'
import type { CallSite } from '../activity/caller.ts'
import { failedStepOf } from '../activity/failed-step.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { shownText } from '../activity/shown-statement.ts'
import type { StepKinds } from '../activity/step.ts'

/** The request, job or command in which a throwable was reported. */
export type IncidentActivity = Pick<Activity, 'kind' | 'id' | 'title' | 'account'>

/** The statement, command or delivery that failed. */
export interface IncidentStep {
  readonly kind: StepKinds
  readonly name: string
  /** The statement without its values. */
  readonly text: string
  readonly durationMs: number
  readonly caller: CallSite | null
}

/** A reported throwable with everything known about it. Secrets are redacted and sizes are bounded. */
export interface Incident {
  /** Epoch seconds. */
  readonly at: number
  /** The throwable and its causes, the outer one first; never empty. */
  readonly chain: readonly Description[]
  /** Its code, or that of its nearest cause that has one. */
  readonly code: string | null
  /** What the reporter got: `interface`, `method`, `URI`, `peer`, `request` for one in a request. */
  readonly context: ReportContext
  readonly activity: IncidentActivity | null
  readonly span: SpanIds | null
  readonly step: IncidentStep | null
}

/**
 * Describes a throwable; call it in a reporter, while the context of the request is there. It reads
 * sources and source maps, and can take a millisecond.
 */
export function incidentOf(error: Error, context: ReportContext, at: number): Incident {
  const { activity, span } = CurrentWork.context()
  const chain = describe(error)
  return {
    at,
    chain,
    code: codeOf(chain),
    context: redactFields(context),
    activity:
      activity === null
        ? null
        : {
            kind: activity.kind,
            id: activity.id,
            title: activity.title,
            account: activity.account,
          },
    // Not the span itself: incidents are stored, and it refers to the whole request.
    span: span === null ? null : { traceId: span.traceId, spanId: span.spanId },
    step: stepOf(error),
  }
}

function codeOf(chain: readonly Description[]): string | null {
  for (const { properties } of chain) {
    const found = properties.find(({ name }) => name === 'code')
    // A preview: texts are in quotes.
    if (found !== undefined) return found.preview.replace(/^'(.*)'$/, '$1')
  }
  return null
}

function stepOf(error: Error): IncidentStep | null {
  const failed = failedStepOf(error)
  if (failed === null) return null
  const { step } = failed
  const { kind, name, durationMs } = step
  // A synchronous step keeps no stack; that of its error leads to the same line.
  const caller = step.caller ?? callSiteIn(failed.error)
  return { kind, name, text: shownText(step), durationMs, caller }
}

/** Origins of throwables that end a process. */
const fatalOrigins: ReadonlySet<unknown> = new Set(['exception', 'fatal'])

/** Whether a throwable ended its process. */
export function isFatal({ context }: Pick<Incident, 'context'>): boolean {
  return fatalOrigins.has(context['origin'])
}

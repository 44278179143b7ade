import { isRecord } from '../base/is-record.ts'
import { maskSource, maskText } from '../base/mask-text.ts'
import type { Description } from '../errors/reports/description.ts'
import { cut } from '../errors/reports/page-text.ts'
import type { Property } from '../errors/reports/preview.ts'
import { fileLabel } from '../errors/stack/file-label.ts'
import { isOwn } from '../errors/stack/frames.ts'
import { excerptOf } from '../errors/stack/source-file.ts'
import type { Excerpt } from '../errors/stack/source-file.ts'
import type { Crumb, SpanIds } from '../activity/activity.ts'
import { shownText } from '../activity/shown-statement.ts'
import type { Incident, IncidentActivity, IncidentStep } from '../incidents/incident.ts'
import { shownStep } from '../incidents/shown-incident.ts'
import type { ShownStep } from '../incidents/shown-incident.ts'

/** One call of a sample. */
export interface SampleFrame {
  readonly call: string
  /** Relative to the project. */
  readonly file: string
  readonly line: number
  readonly isOwn: boolean
}

/** One error of a sample: the thrown one or a cause. */
export interface SampleError {
  readonly relation: string
  readonly class: string
  readonly message: string
  readonly properties: readonly Property[]
  readonly frames: readonly SampleFrame[]
  /** The source around its nearest own call. */
  readonly excerpt?: Excerpt
}

/** Something that happened before an error. */
export interface SampleCrumb extends Omit<Crumb, 'startMs'> {
  /** From its beginning to the error. */
  readonly beforeMs: number
}

/** One occurrence of an error. Secrets are redacted, and its JSON has at most 16 KiB. */
export interface ErrorSample {
  /** Epoch seconds. */
  readonly at: number
  /** Empty if unknown. */
  readonly release: string
  /** The thrown error and its causes; never empty. */
  readonly chain: readonly SampleError[]
  readonly activity: IncidentActivity | null
  readonly span: SpanIds | null
  readonly step: ShownStep | null
  /** What else was reported, such as `method` and `URI`. */
  readonly context: readonly Property[]
  /** The last steps and log lines before it, in their order. */
  readonly crumbs?: readonly SampleCrumb[]
}

const maxJson = 16_384
const maxContext = 12
/** The address of a client is personal, and what was suppressed is counted. */
const leftOut: ReadonlySet<string> = new Set(['interface', 'peer', 'suppressed'])

/** Sizes of a sample; the second ones fit whatever was thrown. */
interface Sizes {
  readonly errors: number
  readonly frames: number
  readonly properties: number
  readonly text: number
}
const defaultSizes: Sizes = { errors: 5, frames: 24, properties: 12, text: 1_000 }
const least: Sizes = { errors: 2, frames: 8, properties: 2, text: 300 }

/** The part of an incident that is kept, with what its activity did before. */
export function sampleOf(
  incident: Incident,
  release: string,
  root: string,
  crumbs: readonly Crumb[] = [],
): ErrorSample {
  const { at, chain, activity, span, step, context } = incident
  const nowMs = performance.now()
  const sized = (sizes: Sizes): ErrorSample => {
    const lead = sizes === least ? undefined : chain.find(({ frames }) => frames.some(isOwn))
    const kept = crumbs.slice(-sizes.frames).map((one) => crumbOf(one, sizes, nowMs))
    return {
      at,
      release,
      chain: chain
        .slice(0, sizes.errors)
        .map((error) => errorOf(error, root, sizes, error === lead)),
      activity,
      span,
      step: step === null ? null : stepOf(step, root, sizes),
      context: contextOf(context),
      ...(kept.length > 0 && { crumbs: kept }),
    }
  }
  const sample = sized(defaultSizes)
  return JSON.stringify(sample).length <= maxJson ? sample : sized(least)
}

function crumbOf(crumb: Crumb, { text: max }: Sizes, nowMs: number): SampleCrumb {
  const { kind, name, startMs, durationMs, failure } = crumb
  return {
    kind,
    name: cut(maskText(name), 60),
    text: cut(shownText(crumb), max / 5),
    beforeMs: rounded(nowMs - startMs),
    durationMs: rounded(durationMs),
    failure,
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}

function stepOf(step: IncidentStep, root: string, sizes: Sizes): ShownStep {
  const shown = shownStep(step, root)
  return { ...shown, text: cut(shown.text, sizes.text) }
}

function errorOf(error: Description, root: string, sizes: Sizes, isLead: boolean): SampleError {
  const { relation, properties, frames } = error
  const own = isLead ? frames.find(isOwn) : undefined
  const excerpt = own === undefined ? null : excerptOf(own.file, own.line)
  return {
    relation,
    class: cut(error.class, 200),
    message: cut(error.message, sizes.text),
    properties: properties.slice(0, sizes.properties),
    frames: frames.slice(0, sizes.frames).map((frame) => {
      const { call, file, line } = frame
      return {
        call: cut(call, 200),
        file: cut(fileLabel(file, root), 300),
        line,
        isOwn: isOwn(frame),
      }
    }),
    ...(excerpt !== null && {
      excerpt: { ...excerpt, lines: excerpt.lines.map((text) => cut(maskSource(text), 160)) },
    }),
  }
}

function contextOf(context: Incident['context']): readonly Property[] {
  return Object.entries(context)
    .filter(([name, value]) => !leftOut.has(name) && isPlain(value))
    .slice(0, maxContext)
    .map(([name, value]) => ({ name: cut(name, 60), preview: cut(String(value), 300) }))
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Whether this is a sample that was read back from JSON. */
export function isSample(value: unknown): value is ErrorSample {
  if (!isRecord(value)) return false
  const { at, chain, context } = value
  return (
    typeof at === 'number' && Array.isArray(chain) && chain.length > 0 && Array.isArray(context)
  )
}

import { shownStatement } from '../activity/shown-statement.ts'
import { StepKinds } from '../activity/step.ts'
import type { Step } from '../activity/step.ts'
import type { ActiveSpan } from './active-span.ts'
import { RecentTexts } from '../base/encoding/recent-texts.ts'
import { messagingAttributes } from './span.ts'
import {
  descriptionJson,
  failedStatus,
  otlpAttributes,
  ownLibrary,
  unlessEmpty,
} from './otlp-span.ts'
import { SpanKinds } from './span.ts'
import type { SpanAttributes } from './span.ts'
import { newSpanId } from './span-ids.ts'

/** Whether a step becomes a span: others are one by themselves, or too short. */
export function isSpanStep({ kind }: Step): boolean {
  return partsByKind.has(kind)
}

/** Exports a step as a span. */
export function exportStep(step: Step, parent: ActiveSpan): void {
  const { startMs, durationMs, failure } = step
  const { sink, traceId } = parent.trace
  sink.enqueue({
    library: ownLibrary,
    traceId,
    spanId: newSpanId(),
    parentSpanId: parent.parentIdAt(startMs),
    startMs,
    endMs: startMs + durationMs,
    description: failure === null ? describe(step) : describeFailed(step, failure),
  })
}

function describe({ kind, name, text, system = '' }: Step): string {
  // One text for all steps of a statement: a key put together would be hashed anew for each of them.
  const key = text === '' ? name : text
  const known = described.get(key)
  if (known?.kind === kind && known.name === name && known.system === system) return known.json
  const { title, span, attributes } = partsOf(kind, name, text, system)
  const list = unlessEmpty(otlpAttributes(attributes))
  const json = descriptionJson({ name: title, kind: span, attributes: list })
  return described.set(key, { kind, name, system, json }).json
}

/** The description of a step, and what it was made of. */
interface DescribedStep {
  readonly kind: StepKinds
  readonly name: string
  readonly system: string
  readonly json: string
}

// Statements and commands repeat.
const described = new RecentTexts<DescribedStep>(1_000)

function describeFailed({ kind, name, text, system = '' }: Step, failure: string): string {
  const { title, span, attributes } = partsOf(kind, name, text, system)
  return descriptionJson({
    name: title,
    kind: span,
    attributes: otlpAttributes({ ...attributes, 'error.type': failure }),
    status: failedStatus,
  })
}

type Parts = (
  name: string,
  text: string,
  system: string,
) => { readonly title: string; readonly span: SpanKinds; readonly attributes: SpanAttributes }

const partsByKind: ReadonlyMap<StepKinds, Parts> = new Map<StepKinds, Parts>([
  [StepKinds.Sql, statementParts],
  [
    StepKinds.Pool,
    (name, _text, system) => ({
      title: `pool ${name}`,
      span: SpanKinds.Internal,
      attributes: system === '' ? {} : { 'db.system.name': system },
    }),
  ],
  [
    StepKinds.Redis,
    (name) => ({
      title: name,
      span: SpanKinds.Client,
      attributes: { 'db.system.name': 'redis', 'db.operation.name': name },
    }),
  ],
  [
    StepKinds.Mail,
    (name) => ({
      title: `send mail ${name}`,
      span: SpanKinds.Client,
      attributes: { 'framework.mail.transport': name },
    }),
  ],
  [
    StepKinds.Storage,
    (name, _text, system) => ({
      title: `storage ${name}`,
      span: SpanKinds.Client,
      attributes: { 'framework.storage.system': system, 'framework.storage.operation': name },
    }),
  ],
  [
    StepKinds.Push,
    (name) => ({
      title: `send ${name}`,
      span: SpanKinds.Producer,
      attributes: messagingAttributes(name, 'send'),
    }),
  ],
])

function partsOf(kind: StepKinds, ...step: Parameters<Parts>): ReturnType<Parts> {
  const [name] = step
  return (
    partsByKind.get(kind)?.(...step) ?? { title: name, span: SpanKinds.Internal, attributes: {} }
  )
}

function statementParts(name: string, text: string, system: string): ReturnType<Parts> {
  const statement = shownStatement(text)
  const collection = table.exec(statement)?.[1]
  const operation = firstWord.exec(statement)?.[1]?.toUpperCase() ?? name
  const title = collection === undefined ? operation : `${operation} ${collection}`
  return {
    title,
    span: SpanKinds.Client,
    attributes: {
      'db.system.name': system === '' ? 'other_sql' : system,
      'db.operation.name': operation,
      'db.collection.name': collection,
      'db.query.summary': title,
      'db.query.text': statement,
    },
  }
}

const firstWord = /^[\s(]*([a-z]{1,32})\b/i
const table = /\b(?:from|into|update)\s+["`]?([\w.]{1,64})/i

import { shownStatement } from '../activity/shown-statement.ts'
import { StepKinds } from '../activity/step.ts'
import type { Step } from '../activity/step.ts'
import type { ActiveSpan } from './active-span.ts'
import { BoundedCache } from './bounded-cache.ts'
import { messagingAttributes } from './messaging-attributes.ts'
import { SpanKinds } from './span.ts'
import type { SpanAttributes } from './span.ts'
import { attributeList, attributesJson, failedJson, nameJson, restBytes } from './span-json.ts'
import { ownScope } from './span-record.ts'
import type { SpanRecord } from './span-record.ts'

/** Whether a step becomes a span: others are one by themselves, or too short. */
export function isSpanStep({ kind }: Step): boolean {
  return descriptions.has(kind)
}

/** Exports a step as a span. */
export function keepStep(step: Step, parent: ActiveSpan): void {
  const { startMs, durationMs, failure } = step
  const { trace } = parent
  const rest = failure === null ? restOf(step) : failedJsonOf(step, failure)
  const parentId = parent.parentIdAt(startMs)
  trace.sink.keep(ownScope, trace, null, parentId, startMs, startMs + durationMs, rest)
}

/** A step that waits for the end of the root. */
export class LateStep implements SpanRecord {
  readonly #step: Step
  readonly #parent: ActiveSpan

  constructor(step: Step, parent: ActiveSpan) {
    this.#step = step
    this.#parent = parent
  }

  write(): void {
    keepStep(this.#step, this.#parent)
  }
}

function restOf({ kind, name, text, system = '' }: Step): Uint8Array {
  // One text for all steps of a statement: a key put together would be hashed anew for each of them.
  const key = text === '' ? name : text
  const known = rests.find(key)
  if (known?.kind === kind && known.name === name && known.system === system) return known.bytes
  const { title, span, attributes } = describe(kind, name, text, system)
  const bytes = restBytes(title, span, attributesJson(attributes))
  return rests.keep(key, { kind, name, system, bytes }).bytes
}

function failedJsonOf({ kind, name, text, system = '' }: Step, failure: string): string {
  const { title, span, attributes } = describe(kind, name, text, system)
  const list = attributeList(attributesJson({ ...attributes, 'error.type': failure }))
  return `${nameJson(title, span)}${list}${failedJson}}`
}

/** What follows the frame of a span. */
interface Rest {
  readonly kind: StepKinds
  readonly name: string
  readonly system: string
  readonly bytes: Uint8Array
}

// Statements and commands repeat: most of a span is written once.
const rests = new BoundedCache<Rest>(1_000)

type Describe = (
  name: string,
  text: string,
  system: string,
) => { readonly title: string; readonly span: SpanKinds; readonly attributes: SpanAttributes }

const descriptions: ReadonlyMap<StepKinds, Describe> = new Map<StepKinds, Describe>([
  [StepKinds.Sql, describeStatement],
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
    StepKinds.Push,
    (name) => ({
      title: `send ${name}`,
      span: SpanKinds.Producer,
      attributes: messagingAttributes(name, 'send'),
    }),
  ],
])

function describe(kind: StepKinds, ...step: Parameters<Describe>): ReturnType<Describe> {
  const [name] = step
  return (
    descriptions.get(kind)?.(...step) ?? { title: name, span: SpanKinds.Internal, attributes: {} }
  )
}

function describeStatement(name: string, text: string, system: string): ReturnType<Describe> {
  const statement = shownStatement(text)
  const collection = tableOf(statement)
  const operation = operationOf(statement) ?? name
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

/** The first word of a statement. */
function operationOf(sql: string): string | undefined {
  return firstWord.exec(sql)?.[1]?.toUpperCase()
}

/** The first table that a statement names. */
function tableOf(sql: string): string | undefined {
  return table.exec(sql)?.[1]
}

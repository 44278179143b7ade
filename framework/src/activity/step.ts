import type { CallSite } from './caller.ts'
import type { WorkContext } from './current-work.ts'

/** Kinds of steps. */
export const StepKinds = {
  /** A statement; `name` is its kind: SELECT, INSERT, UPDATE, DELETE or OTHER. */
  Sql: 'sql',
  /** A wait for a connection, when none of the pool was free. */
  Pool: 'pool',
  /** A command of Redis; `name` is the command. */
  Redis: 'redis',
  /** A letter; `name` is its lane. */
  Mail: 'mail',
  /** A job that was pushed; `name` is its queue. */
  Push: 'push',
  /** A look-up in a cache; `name` is `hit` or `miss`. */
  Cache: 'cache',
  /** An operation of a disk; `name` is `put`, `get`, `find`, `delete`, `copy`, `confirm` or `list`. */
  Storage: 'storage',
  /** A request to another server; `name` is its method. */
  Fetch: 'fetch',
  /** A part that the project named with `trace`; `name` is that name. */
  Span: 'span',
} as const
Object.freeze(StepKinds)
export type StepKinds = (typeof StepKinds)[keyof typeof StepKinds]

/** Something an activity did that took time. It never contains values of users. */
export interface Step {
  readonly kind: StepKinds
  /** One of few, for metrics; but any text for a span. */
  readonly name: string
  /**
   * The statement without its values, the Message-ID of a letter, or the origin of a URL; empty where
   * the name says everything.
   */
  readonly text: string
  /** The database of a statement, as OpenTelemetry names it, or `file` or `s3` of a disk. @default '' */
  readonly system?: string
  /** What it belongs to. */
  readonly context: WorkContext
  /** When it began, by `performance.now()`. */
  readonly startMs: number
  readonly durationMs: number
  /** Rows read or changed, bytes of a letter; 0 where nothing is counted. */
  readonly count: number
  /** The code of the error it failed with; null if it succeeded. */
  readonly failure: string | null
  /**
   * The line of the project that caused it, or that waits for it; null if there is none. Finding it costs
   * microseconds: read it only when it is shown. Only inside `ended` it is certain to be there.
   */
  readonly caller: CallSite | null
}

/** Receives steps when they end. It is called synchronously and must be quick; what it throws is ignored. */
export interface StepWatcher {
  ended(step: Step): void
  /** It gets failed steps, and of the others only those that took at least this long. @default 0 */
  readonly minMs?: number
  /** Whether it needs the spans that the project makes. @default false */
  readonly wantsSpans?: boolean
  /** Whether it needs short statements only of what has a span. @default false */
  readonly onlyTraced?: boolean
  /**
   * Whether it needs the caller exactly, even of a step that is awaited elsewhere or not at all: of every
   * step, or of those for which this returns true. The stack of each is then kept, which costs
   * microseconds. @default false
   */
  readonly wantsCallers?: boolean | ((step: Step) => boolean)
}

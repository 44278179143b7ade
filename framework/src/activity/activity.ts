/** Kinds of work that a process does. */
export const ActivityKinds = {
  Request: 'request',
  Job: 'job',
  Command: 'command',
  Task: 'task',
} as const
Object.freeze(ActivityKinds)
export type ActivityKinds = (typeof ActivityKinds)[keyof typeof ActivityKinds]

/** The ids of a span, as log lines and outgoing headers show them: 32 and 16 hexadecimal digits. */
export interface SpanIds {
  readonly traceId: string
  readonly spanId: string
}

/** A step or a log line that an activity left behind. */
export interface Crumb {
  /** That of a step, or `log`. */
  readonly kind: string
  /** That of the step, or a level. */
  readonly name: string
  readonly text: string
  /** When it began, by `performance.now()`. */
  readonly startMs: number
  readonly durationMs: number
  readonly failure: string | null
}

/**
 * A request, a job, a command or a task that is being worked on. Log lines, steps and spans refer to it. It is
 * cheap: everything that is not always needed is computed when read.
 */
export abstract class Activity {
  abstract readonly kind: ActivityKinds
  /** Its id, the same in every log line. */
  abstract readonly id: string
  /** One of few: a method and a route pattern, the name of a queue, a command, a task. */
  abstract readonly title: string
  /** Id of the account on whose behalf it runs; null if there is none. */
  abstract readonly account: string | null
  /** Number of statements sent to databases. */
  statements = 0
  /** Their total duration. */
  statementMs = 0
  /** What `Crumbs` keeps of it; null for nothing. */
  crumbs: Crumb[] | null = null
  /** Whether the inspector keeps a record of it. */
  recorded = false
  /** What `keepRequests` has noted about it; null for nothing. */
  trail: object | null = null
  /** Makes the root span when somebody asks for it; null if there is none, or it is made. */
  lateSpan: (() => SpanIds) | null = null
  #span: SpanIds | null = null

  /** Its root span; null without tracing. */
  get span(): SpanIds | null {
    if (this.lateSpan !== null) {
      this.#span = this.lateSpan()
      this.lateSpan = null
    }
    return this.#span
  }

  set span(span: SpanIds | null) {
    this.#span = span
    this.lateSpan = null
  }

  /** Whether it has a root span that is made already. */
  get hasSpan(): boolean {
    return this.#span !== null
  }

  // The rest makes it the context of its code, so that entering it makes no other object.

  /** Itself. */
  get activity(): Activity {
    return this
  }

  /** None. */
  get fields(): Readonly<Record<string, unknown>> {
    return noFields
  }
}

const noFields: Readonly<Record<string, unknown>> = Object.freeze({})

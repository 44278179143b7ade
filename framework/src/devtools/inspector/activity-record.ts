import type { Activity } from '../../activity/activity.ts'
import type { RepeatedStatement } from '../../activity/repeated-statements.ts'
import type { Step } from '../../activity/step.ts'
import type { Incident } from '../../incidents/incident.ts'

/** A request, job or command as the inspector shows it. It contains no secrets, and its size is bounded. */
export interface ActivityRecord
  extends ActivityOutcome, Pick<Activity, 'kind' | 'id' | 'title' | 'account' | 'span'> {
  /** Tells it from all others: requests can share an id, and so do the attempts of a job. */
  readonly key: string
  readonly pid: number
  /** Epoch seconds. */
  readonly at: number
  readonly durationMs: number
  /** Number of statements, including those that were not kept. */
  readonly statements: number
  readonly statementMs: number
  /** Statements that look like a query in a loop (N+1), the most frequent first. */
  readonly repeats: readonly RepeatedStatement[]
  /** The texts of its steps, each once. */
  readonly texts: readonly string[]
  readonly steps: readonly RecordedStep[]
  readonly lines: readonly RecordedLine[]
  readonly incidents: readonly Incident[]
  /** How many of each were not kept. */
  readonly dropped: Readonly<Record<'steps' | 'lines' | 'incidents', number>>
}

/** What only the part that ran the activity knows about it. */
export interface ActivityOutcome {
  /** What was asked for: the path of a request, the queue of a job, the arguments of a command. */
  readonly subject: string
  /** Status of a response, outcome of a job, exit status of a command. */
  readonly status: string
  readonly failed: boolean
  /** Whether the list leaves it out unless asked: files, and the tools themselves. @default false */
  readonly hidden?: boolean
  /** Its parts one after the other, such as the middlewares and the handler of a request. */
  readonly phases: readonly RecordedPhase[]
  /** More about it, as tables of names and masked values. */
  readonly tables: readonly RecordedTable[]
}

/** A part of an activity. */
export interface RecordedPhase {
  readonly kind: string
  readonly name: string
  /** Milliseconds since the activity began. */
  readonly startMs: number
  readonly durationMs: number
}

/** A titled list of names and values. */
export interface RecordedTable {
  readonly title: string
  readonly rows: readonly (readonly [name: string, value: string])[]
}

/** A step of an activity. A kind that the pages do not know yet is shown by its name. */
export interface RecordedStep extends RecordedPhase, Pick<Step, 'count' | 'failure' | 'caller'> {
  /** Position of its text in `texts`; -1 for none. */
  readonly text: number
}

/** A log line of an activity. */
export interface RecordedLine {
  /** Epoch seconds. */
  readonly at: number
  readonly level: string
  readonly channel: string
  readonly message: string
  /** The context as JSON; empty if there is none. */
  readonly context: string
}

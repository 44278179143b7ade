import { AsyncLocalStorage } from 'node:async_hooks'
import type { Activity, SpanIds } from './activity.ts'

/** Fields that every log line of some work gets. */
export type WorkFields = Readonly<Record<string, unknown>>

/** What the code that runs now belongs to. */
export interface WorkContext {
  readonly activity: Activity | null
  /** The innermost span. */
  readonly span: SpanIds | null
  readonly fields: WorkFields
  /** Whether it is a later part of one call, such as the next page of a walk. @default false */
  readonly continues?: boolean
}

const storage = new AsyncLocalStorage<WorkContext>()
const noFields: WorkFields = Object.freeze({})
const nowhere: WorkContext = Object.freeze({
  activity: null,
  span: null,
  fields: noFields,
  continues: false,
})
let followers = 0

/** What runs now, followed across awaits. */
export const CurrentWork = {
  /** Whether something needs to know which request the code belongs to. */
  get isFollowed(): boolean {
    return followers > 0
  },

  /** Follows requests. Returns a function that takes this back. */
  follow(): () => void {
    followers += 1
    let follows = true
    return () => {
      if (follows) followers -= 1
      follows = false
    }
  },

  /** Its context; an empty one outside. */
  context: (): WorkContext => storage.getStore() ?? nowhere,

  /** Runs `work` as part of an activity, in its root span, and returns its result. */
  runActivity: <T>(activity: Activity, work: () => T): T => storage.run(activity, work),

  /**
   * Makes the rest of the current callback of the event loop, and what it causes, part of an activity. It
   * costs half of `runActivity`, but only the end of the callback leaves the activity.
   */
  enterActivity: (activity: Activity): void => storage.enterWith(activity),

  /** Runs `work` inside another span of the same activity. */
  runSpan<T>(span: SpanIds, work: () => T): T {
    const { activity, fields, continues = false } = storage.getStore() ?? nowhere
    return storage.run({ activity, span, fields, continues }, work)
  },

  /** Runs `work` as part of nothing: for what a request happens to cause but does not wait for. */
  runOutside: <T>(work: () => T): T => storage.run(nowhere, work),

  /** Runs `work` with more fields for its log lines. */
  runFields<T>(fields: WorkFields, work: () => T): T {
    const outer = storage.getStore() ?? nowhere
    const { activity, span, continues = false } = outer
    const all = { ...outer.fields, ...fields }
    return storage.run({ activity, span, fields: all, continues }, work)
  },

  /** Runs `work` as a later part of a call: the next page of a walk, the next list of keys. */
  runContinuation<T>(work: () => T): T {
    const { activity, span, fields } = storage.getStore() ?? nowhere
    return storage.run({ activity, span, fields, continues: true }, work)
  },
} as const
Object.freeze(CurrentWork)

import { AsyncLocalStorage } from 'node:async_hooks'

/** Fields for the `extra` of lines, such as `request`. */
export type LogFields = Readonly<Record<string, unknown>>

const storage = new AsyncLocalStorage<LogFields>()
const none: LogFields = Object.freeze({})

/** Fields added to every line that is logged inside `run`, across awaits. */
export const LogContext: {
  /** Runs `fn` with these fields in addition to the current ones, and returns its result. */
  run<T>(fields: LogFields, fn: () => T): T
  /** The current fields. */
  current(): LogFields
} = Object.freeze({
  run<T>(fields: LogFields, fn: () => T): T {
    const outer = storage.getStore()
    return storage.run(outer === undefined ? fields : { ...outer, ...fields }, fn)
  },
  current() {
    return storage.getStore() ?? none
  },
})

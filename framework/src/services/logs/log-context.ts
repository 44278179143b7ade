import { AsyncLocalStorage } from 'node:async_hooks'

/** Fields for the `extra` of lines, such as `request`. */
export type LogFields = Readonly<Record<string, unknown>>

const storage = new AsyncLocalStorage<LogFields>()
const none: LogFields = Object.freeze({})

/** Fields that every line logged inside a piece of work carries, over all its awaits. */
export const LogContext: {
  /** Runs `fn` with the fields on top of those already there, and returns what it returns. */
  run<T>(fields: LogFields, fn: () => T): T
  /** The fields of the work at hand. */
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

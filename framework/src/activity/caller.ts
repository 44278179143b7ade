import { nearestOwn } from '../errors/stack/frames.ts'
import { fileLabel } from '../errors/stack/file-label.ts'

/** A line of the project's own code. */
export interface CallSite {
  /** Absolute path. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** The function as V8 names it; empty at module level. */
  readonly call: string
}

/** Frames of the framework above the project's own. */
const maxFrames = 40

/**
 * The current stack, not yet formatted, without the functions above `from`. V8 formats it when it is
 * read, which is most of the cost.
 */
export function captureStack(from: (...parameters: never[]) => unknown): Error {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = maxFrames
  const holder: Error = { name: 'StackHolder', message: '' }
  Error.captureStackTrace(holder, from)
  Error.stackTraceLimit = limit
  return holder
}

/** The nearest call in the project's own code; null if the stack has none. */
export function callSiteIn(stack: Error): CallSite | null {
  const own = nearestOwn(stack, maxFrames)
  if (own === null) return null
  const { file, line, column, call } = own
  return { file, line, column, call }
}

/** A line of the project as `file:line`, relative to its folder. */
export function shownCaller({ file, line }: CallSite, root: string): string {
  return `${fileLabel(file, root)}:${line}`
}

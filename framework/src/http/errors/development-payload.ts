import { relative } from 'node:path'
import { className } from '../../errors/reports/class-name.ts'
import { framesOf } from '../../errors/stack/frames.ts'
import type { Frame } from '../../errors/stack/frames.ts'
import { messageOf } from '../../base/to-error.ts'
import { maskText } from '../../base/mask-text.ts'

/** The JSON body of an error in development. */
export interface DevelopmentPayload {
  /** Class of the throwable. */
  readonly error: string
  readonly message: string
  /** Relative to the project. */
  readonly file: string
  readonly line: number
  /** Nearest call first. */
  readonly trace: readonly TraceEntry[]
}

/** One call of a trace; all members are strings. */
export interface TraceEntry {
  readonly index: string
  readonly file: string
  readonly line: string
  readonly call: string
}

/** The payload of an error; secrets in messages are masked. */
export function developmentPayload(error: Error, root: string): DevelopmentPayload {
  const frames = framesOf(error)
  const at = frames.find(({ line }) => line > 0)
  return {
    error: maskText(className(error)),
    message: messageOf(error),
    file: at === undefined ? '' : shownFile(at, root),
    line: at?.line ?? 0,
    trace: frames.map((frame, index) => ({
      index: String(index + 1),
      file: shownFile(frame, root),
      line: String(frame.line),
      call: frame.call,
    })),
  }
}

function shownFile({ file }: Frame, root: string): string {
  const inside = relative(root, file)
  return file.startsWith('/') && !inside.startsWith('..') ? inside : file
}

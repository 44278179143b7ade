import { fileURLToPath } from 'node:url'
import { detached } from '../encoding/detached.ts'
import { maskText } from '../mask-text.ts'
import { RecentTexts } from './recent-texts.ts'
import { originalPosition } from './source-map.ts'

/** Whose code a frame is in. */
export const Origins = { Application: 'application', Vendor: 'vendor', Node: 'node' } as const
Object.freeze(Origins)
export type Origins = (typeof Origins)[keyof typeof Origins]

/** One call of a stack, mapped to the original sources. */
export interface Frame {
  /** The function as V8 names it, followed by `(eval)` in evaluated code; empty at module level. */
  readonly call: string
  /**
   * Absolute path, or V8's name where there is none (`node:fs`, `<anonymous>`). For evaluated code,
   * the file that called eval.
   */
  readonly file: string
  /** Counted from 1; 0 when unknown. */
  readonly line: number
  readonly column: number
  readonly origin: Origins
}

/** Only this many frames of an error are read. */
export const maxFrames = 32

const maxLineLength = 2_000

/** Frames by their line: source maps are slow, and errors come again. */
const known = new RecentTexts<Frame>(300)

/** The frames of an error, nearest call first. */
export function framesOf(error: Error, max: number = maxFrames): Frame[] {
  const frames: Frame[] = []
  for (const line of stackLines(error)) {
    if (frames.length >= max) break
    const frame = frameIn(line)
    if (frame !== null) frames.push(frame)
  }
  return frames
}

/** Where an error was created: its first frame with a line in a file. */
export function throwPoint(error: Error): Frame | null {
  for (const line of stackLines(error)) {
    const frame = frameIn(line)
    if (frame !== null && frame.line > 0) return frame
  }
  return null
}

/** The frames as V8 wrote them, without the message; empty if there are none. */
export function rawFrames(error: Error): string {
  const { stack, message } = readStack(error)
  const end = stack.indexOf('\n', endOfMessage(stack, message))
  return end === -1 ? '' : stack.slice(end + 1)
}

// The message precedes the frames and may contain lines that look like frames; it is skipped.
function* stackLines(error: Error): Generator<string> {
  const { stack, message } = readStack(error)
  let start = endOfMessage(stack, message)
  while (start < stack.length) {
    const next = stack.indexOf('\n', start)
    const end = next === -1 ? stack.length : next
    yield stack.slice(start, end)
    start = end + 1
  }
}

// A message assigned later is not in the stack, but a frame may contain the same words.
function endOfMessage(stack: string, message: string): number {
  const at = message === '' ? -1 : stack.indexOf(message)
  const firstFrame = stack.indexOf('\n    at ')
  return at === -1 || (firstFrame !== -1 && firstFrame < at) ? 0 : at + message.length
}

function readStack(error: Error): { readonly stack: string; readonly message: string } {
  try {
    const { stack, message } = error
    return {
      stack: typeof stack === 'string' ? stack : '',
      message: typeof message === 'string' ? message : '',
    }
  } catch {
    return { stack: '', message: '' }
  }
}

function frameIn(line: string): Frame | null {
  const remembered = known.get(line)
  if (remembered !== undefined) return remembered
  if (line.length > maxLineLength) return null
  // Its parts are slices of the line, and the line is one of the whole stack.
  const frame = parseFrame(detached(line))
  if (frame !== null) known.set(line, Object.freeze(frame))
  return frame
}

const inParentheses = /^ {4}at (?:async )?(.*?) \((.*)\)$/
const bare = /^ {4}at (?:async )?(.*)$/
const position = /^(.*?)(?::(\d+))?(?::(\d+))?$/

// Where eval was called, which may itself be evaluated code: `eval at run (/app/x.js:2:3)`.
const evaluated = /^eval at .*? \((.*)\)(?:, .*)?$/

function parseFrame(line: string): Frame | null {
  const named = inParentheses.exec(line)
  const place = named?.[2] ?? bare.exec(line)?.[1]
  if (place === undefined) return null
  const caller = callerOfEval(place)
  const [, where = '', row = '0', column = '0'] = position.exec(caller ?? place) ?? []
  const file = pathOf(where)
  const found = { file, line: Number(row), column: Number(column) }
  const origin = originOf(file)
  const original = origin === Origins.Node ? found : originalPosition(found)
  const call = named?.[1] ?? ''
  return { call: caller === null ? call : markEvaluated(call), ...original, origin }
}

function callerOfEval(place: string): string | null {
  let caller = null
  for (let found = evaluated.exec(place); found !== null; found = evaluated.exec(caller)) {
    caller = found[1] ?? ''
  }
  return caller
}

function markEvaluated(call: string): string {
  if (call === 'eval') return call
  return call === '' ? '(eval)' : `${call} (eval)`
}

function pathOf(where: string): string {
  if (!where.startsWith('file://')) return maskText(where)
  try {
    return fileURLToPath(where)
  } catch {
    return where
  }
}

// The folder of the framework's own code: src here, dist in the package.
const frameworkFolder = import.meta.dirname.slice(0, -'base/stack'.length)

function originOf(file: string): Origins {
  if (!file.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(file)) return Origins.Node
  const vendor = file.startsWith(frameworkFolder) || /[\\/]node_modules[\\/]/.test(file)
  return vendor ? Origins.Vendor : Origins.Application
}

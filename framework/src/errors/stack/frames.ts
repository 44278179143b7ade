import { fileURLToPath } from 'node:url'
import { detached } from '../../base/encoding/detached.ts'
import { maskText } from '../../base/mask-text.ts'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'
import { chainOf } from './error-chain.ts'
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

/** Only this many frames of an error are shown. */
export const maxFrames = 32
/** And this many are read: some look for the nearest one of the project. */
const maxParsed = 64

const maxLineLength = 2_000

/** Stacks by their text: to parse them and to map them to their sources is slow, and errors come again. */
const stacks = new RecentTexts<ParsedStack>(200)
const maxRemembered = 8_192

/** A call that failed, such as a statement. */
interface FailedCall {
  /** The line of the project that waits for it. */
  readonly caller: Omit<Frame, 'origin'> | null
}

const failedCalls = new WeakMap<Error, FailedCall>()

/** Remembers which call failed with an error: its stack may end before the code of the project. */
export function noteFailedCall(error: Error, call: FailedCall): void {
  failedCalls.set(error, call)
}

/**
 * The frames of an error, nearest call first. If none of them is in the project's own code, the last one is its line
 * that waits for what failed. The same stack usually is the same list.
 */
export function framesOf(error: Error, max: number = maxFrames): readonly Frame[] {
  const stack = parsedStack(error)
  const frames = (stack.original ??= Object.freeze(stack.compiled.map(toOriginal)))
  const shown = frames.length > max ? frames.slice(0, max) : frames
  if (shown.some(isOwn)) return shown
  const caller = callerOf(error)
  return caller === null ? shown : [...shown, caller]
}

/** The nearest own line of an error, or of its causes: `fetch failed` has no stack but that of its cause. */
function callerOf(error: Error): Frame | null {
  for (const { error: link } of chainOf(error)) {
    const own = nearestOwn(link, maxParsed)
    if (own !== null) return own
    const caller = failedCalls.get(link)?.caller ?? null
    if (caller !== null) return { ...caller, origin: Origins.Application }
  }
  return null
}

/** The nearest call in the project's own code among the first `max`; no source map but its own is read. */
export function nearestOwn(error: Error, max: number): Frame | null {
  const first = parsedStack(error).compiled.slice(0, max)
  const own = first.find(isOwn)
  return own === undefined ? null : toOriginal(own)
}

/** Whether a frame is a line of the project. */
export function isOwn({ origin, line }: Frame): boolean {
  return origin === Origins.Application && line > 0
}

/** Where an error was created: its first frame with a line in a file. */
export function throwPoint(error: Error): Frame | null {
  return framesOf(error, maxParsed).find(({ line }) => line > 0) ?? null
}

/** The nearest frame outside Node's own code, else the nearest inside it; null when none has a line. */
export function nearestLocation(frames: readonly Frame[]): Frame | null {
  const located = frames.filter(({ line }) => line > 0)
  return located.find(({ origin }) => origin !== Origins.Node) ?? located[0] ?? null
}

/** The frames of a stack as V8 has them, and mapped to the sources once somebody reads them all. */
interface ParsedStack {
  readonly compiled: readonly Frame[]
  original: readonly Frame[] | null
}

function toOriginal(frame: Frame): Frame {
  if (frame.origin === Origins.Node) return frame
  return Object.freeze({ ...frame, ...originalPosition(frame) })
}

// The message precedes the frames and may contain lines that look like frames; it is skipped.
function parsedStack(error: Error): ParsedStack {
  const { stack, message } = readStack(error)
  const text = stack.slice(endOfMessage(stack, message))
  const known = stacks.get(text)
  if (known !== undefined) return known
  // The parts of a frame are slices of this text, and would keep the message in memory.
  const own = detached(text)
  const parsed = { compiled: parse(own), original: null }
  if (text.length <= maxRemembered) stacks.set(own, parsed)
  return parsed
}

function parse(text: string): Frame[] {
  const frames: Frame[] = []
  for (let start = 0; start < text.length && frames.length < maxParsed;) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next
    const frame = end - start > maxLineLength ? null : parseFrame(text.slice(start, end))
    if (frame !== null) frames.push(Object.freeze(frame))
    start = end + 1
  }
  return frames
}

const frameStart = '\n    at '

// A message assigned later is not in the stack, but a frame may contain the same words.
function endOfMessage(stack: string, message: string): number {
  // Nearly always it follows the name, and to search for a long one takes long.
  const start = stack.indexOf(': ') + 2
  const isThere = message !== '' && stack.slice(start, start + message.length) === message
  if (isThere && !stack.slice(0, start).includes(frameStart)) return start + message.length
  const at = message === '' ? -1 : stack.indexOf(message)
  const firstFrame = stack.indexOf(frameStart)
  return at === -1 || (firstFrame !== -1 && firstFrame < at) ? 0 : at + message.length
}

/** Stack and message of an error, whose getters may throw; empty if they do, or are no texts. */
export function readStack(error: Error): { readonly stack: string; readonly message: string } {
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
  const origin = originOf(file)
  const name = named?.[1] ?? ''
  const call = caller === null ? name : markEvaluated(name)
  return { call, file, line: Number(row), column: Number(column), origin }
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
const frameworkFolder = import.meta.dirname.slice(0, -'errors/stack'.length)

function originOf(file: string): Origins {
  if (!file.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(file)) return Origins.Node
  const vendor = file.startsWith(frameworkFolder) || /[\\/]node_modules[\\/]/.test(file)
  return vendor ? Origins.Vendor : Origins.Application
}

import { fileURLToPath } from 'node:url'
import { isRecord } from '../../base/is-record.ts'
import { readStack } from '../stack/frames.ts'
import type { Position } from '../stack/source-map.ts'
import { ErrorException, FatalErrors } from './error-exception.ts'
import { fileOfFailedLoad } from './track-loaded-files.ts'
import { sourceLines } from '../stack/source-file.ts'

const known = new WeakMap<SyntaxError, ErrorException>()

/**
 * The fatal error for a `SyntaxError` thrown because a loaded file does not parse; null for every
 * other error. The same error always yields the same exception.
 */
export function parseError(error: Error): ErrorException | null {
  if (!(error instanceof SyntaxError)) return null
  const cached = known.get(error)
  if (cached !== undefined) return cached
  const { message, stack } = readStack(error)
  if (!loading.test(nearestCall(stack))) return null
  const { file, line, column } = printedLocation(stack) ?? foundLocation(error, stack) ?? unknown
  const trace = file === '' ? [] : [`at ${file}:${line}:${column}`]
  const fatal = { type: FatalErrors.E_PARSE, message, file, line, trace }
  const exception = new ErrorException(fatal, { cause: error })
  known.set(error, exception)
  return exception
}

const unknown: Position = { file: '', line: 0, column: 0 }

// Code compiled by other means, and JSON, has other calls at the top of the stack.
const loading = /^ {4}at .*\(node:internal\/modules\//
const compiling = /^ {4}at compile/
const call = /^ {4}at .*$/m

function nearestCall(stack: string): string {
  return call.exec(stack)?.[0] ?? ''
}

const head = /^(file:\/\/.+|\/.+|[A-Za-z]:\\.+):(\d+)\n/
const mark = /^(?:.*\n){1,5}?([ \t]*)\^/

/** What Node prints above the stack: for CommonJS, TypeScript, and names that are not exported. */
function printedLocation(stack: string): Position | null {
  const [, where, line] = head.exec(stack) ?? []
  if (where === undefined || line === undefined) return null
  const file = where.startsWith('file:') ? fileURLToPath(where) : where
  // When a file ends too early, there is no character to mark.
  const [, indentation = ''] = mark.exec(stack) ?? []
  return { file, line: Number(line), column: indentation.length + 1 }
}

/**
 * For JavaScript modules Node prints nothing: V8 knows the line, and the file is the one loaded
 * last. Not used for missing exports, which are detected after other files were loaded.
 */
function foundLocation(error: SyntaxError, stack: string): Position | null {
  if (!compiling.test(nearestCall(stack))) return null
  const location = compileLocation(error)
  const file = fileOfFailedLoad(error)
  if (location === null || file === null) return null
  const { length } = sourceLines(file) ?? []
  return location.line > length ? null : { file, ...location }
}

type SourceLocation = Omit<Position, 'file'>

const handle = Symbol.for('framework.debugging.error')

/**
 * The position of a syntax error, which V8 exposes only through the inspector; null when unknown.
 * V8 does not say which file it is in.
 */
export function compileLocation(error: SyntaxError): SourceLocation | null {
  try {
    return inspect(error)
  } catch {
    // Node was built without the inspector, or may not use it.
    return null
  }
}

function inspect(error: SyntaxError): SourceLocation | null {
  const { Session } = process.getBuiltinModule('node:inspector')
  const session = new Session()
  session.connect()
  // The inspector evaluates source text, so the error must be reachable by name for a moment.
  Object.defineProperty(globalThis, handle, { value: error, configurable: true })
  let location: SourceLocation | null = null
  try {
    const expression = `globalThis[Symbol.for(${JSON.stringify(handle.description)})]`
    session.post('Runtime.evaluate', { expression }, (_, evaluated) => {
      const errorObjectId = evaluated.result.objectId
      if (errorObjectId === undefined) return
      session.post('Runtime.getExceptionDetails', { errorObjectId }, (_, details) => {
        location = locationIn(details)
      })
    })
  } finally {
    Reflect.deleteProperty(globalThis, handle)
    session.disconnect()
  }
  return location
}

function locationIn(details: unknown): SourceLocation | null {
  if (!isRecord(details) || !isRecord(details['exceptionDetails'])) return null
  const { lineNumber, columnNumber } = details['exceptionDetails']
  if (typeof lineNumber !== 'number' || typeof columnNumber !== 'number') return null
  return lineNumber < 0 ? null : { line: lineNumber + 1, column: columnNumber + 1 }
}

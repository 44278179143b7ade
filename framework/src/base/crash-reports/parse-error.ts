import { fileURLToPath } from 'node:url'
import { compilePlace } from './compile-place.ts'
import { ErrorException, FatalErrors } from './error-exception.ts'
import { fileOfFailedLoad } from './loaded-files.ts'
import { sourceLines } from '../stack/source-file.ts'

/** A place in a file; line and column count from 1. */
interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

const known = new WeakMap<SyntaxError, ErrorException>()

/**
 * The fatal error that a `SyntaxError` stands for when a file was loaded that does not parse; null
 * for every other error. The same error always gives the same one.
 */
export function parseError(error: Error): ErrorException | null {
  if (!(error instanceof SyntaxError)) return null
  const before = known.get(error)
  if (before !== undefined) return before
  const { message, stack } = readError(error)
  if (!loading.test(nearestCall(stack))) return null
  const { file, line, column } = toldPlace(stack) ?? foundPlace(error, stack) ?? nowhere
  const trace = file === '' ? [] : [`at ${file}:${line}:${column}`]
  const fatal = { type: FatalErrors.E_PARSE, message, file, line, trace }
  const exception = new ErrorException(fatal, { cause: error })
  known.set(error, exception)
  return exception
}

function readError(error: SyntaxError): { readonly message: string; readonly stack: string } {
  try {
    const { message, stack } = error
    return { message, stack: typeof stack === 'string' ? stack : '' }
  } catch {
    // A hostile getter; such an error came from no parser.
    return { message: '', stack: '' }
  }
}

const nowhere: Place = { file: '', line: 0, column: 0 }

// Code that is compiled by other means, and JSON, has other calls nearest.
const loading = /^ {4}at .*\(node:internal\/modules\//
const compiling = /^ {4}at compile/
const call = /^ {4}at .*$/m

function nearestCall(stack: string): string {
  return call.exec(stack)?.[0] ?? ''
}

const head = /^(file:\/\/.+|\/.+|[A-Za-z]:\\.+):(\d+)\n/
const mark = /^(?:.*\n){1,5}?([ \t]*)\^/

/** What Node writes above the stack, in CommonJS, TypeScript, and where a name is not exported. */
function toldPlace(stack: string): Place | null {
  const [, where, line] = head.exec(stack) ?? []
  if (where === undefined || line === undefined) return null
  const file = where.startsWith('file:') ? fileURLToPath(where) : where
  // A file that ends too early has nothing to put the mark under.
  const [, indentation = ''] = mark.exec(stack) ?? []
  return { file, line: Number(line), column: indentation.length + 1 }
}

/**
 * Of modules in JavaScript Node tells nothing: the engine knows the line, and the file was loaded
 * last. A name that is not exported is found out later, when other files were loaded.
 */
function foundPlace(error: SyntaxError, stack: string): Place | null {
  if (!compiling.test(nearestCall(stack))) return null
  const place = compilePlace(error)
  const file = fileOfFailedLoad(error)
  if (place === null || file === null) return null
  const { length } = sourceLines(file) ?? []
  return place.line > length ? null : { file, ...place }
}

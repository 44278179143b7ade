/** A position in a source file; line and column count from 1. */
export interface SourceLocation {
  readonly line: number
  readonly column: number
}

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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

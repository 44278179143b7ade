/** A place in a source that did not compile; line and column count from 1. */
export interface CompilePlace {
  readonly line: number
  readonly column: number
}

const handle = Symbol.for('framework.debugging.error')

/**
 * Where the engine stopped reading the source that gave this error, which it tells to debuggers
 * only; null when it does not know. The file it does not tell at all.
 */
export function compilePlace(error: SyntaxError): CompilePlace | null {
  try {
    return ask(error)
  } catch {
    // A Node without the inspector, or one that may not use it.
    return null
  }
}

function ask(error: SyntaxError): CompilePlace | null {
  const { Session } = process.getBuiltinModule('node:inspector')
  const session = new Session()
  session.connect()
  // The session takes texts, no objects, so for a moment the error has to be found by a name.
  Object.defineProperty(globalThis, handle, { value: error, configurable: true })
  let place: CompilePlace | null = null
  try {
    const expression = `globalThis[Symbol.for(${JSON.stringify(handle.description)})]`
    session.post('Runtime.evaluate', { expression }, (_, evaluated) => {
      const errorObjectId = evaluated.result.objectId
      if (errorObjectId === undefined) return
      session.post('Runtime.getExceptionDetails', { errorObjectId }, (_, details) => {
        place = placeIn(details)
      })
    })
  } finally {
    Reflect.deleteProperty(globalThis, handle)
    session.disconnect()
  }
  return place
}

function placeIn(details: unknown): CompilePlace | null {
  if (!isRecord(details) || !isRecord(details['exceptionDetails'])) return null
  const { lineNumber, columnNumber } = details['exceptionDetails']
  if (typeof lineNumber !== 'number' || typeof columnNumber !== 'number') return null
  return lineNumber < 0 ? null : { line: lineNumber + 1, column: columnNumber + 1 }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

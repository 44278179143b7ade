/** Kinds of fatal errors: the process, or the file being loaded, cannot continue. */
export const FatalErrors = {
  /** The engine aborted, for example because it ran out of memory. */
  E_ERROR: 1,
  /** A loaded file does not parse. */
  E_PARSE: 4,
  E_CORE_ERROR: 16,
  E_COMPILE_ERROR: 64,
} as const
Object.freeze(FatalErrors)
export type FatalErrors = (typeof FatalErrors)[keyof typeof FatalErrors]

/** A fatal error before it becomes an `ErrorException`. */
export interface FatalError {
  /** One of `FatalErrors`; others are not fatal. */
  readonly type: number
  readonly message: string
  /** Empty when unknown. */
  readonly file: string
  /** Counted from 1; 0 when unknown. */
  readonly line: number
  /** Stack frames as V8 writes them, `at call (file:line:column)`, nearest first. */
  readonly trace?: readonly string[]
}

/** A fatal error as an ordinary `Error`. Its stack starts where the fatal error happened. */
export class ErrorException extends Error {
  /** One of `FatalErrors`. */
  readonly severity: number
  readonly file: string
  readonly line: number

  constructor({ type, message, file, line, trace }: FatalError, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ErrorException'
    this.severity = type
    this.file = file
    this.line = line
    const place = file === '' ? [] : [`at ${file}:${line}:1`]
    const calls = trace ?? place
    this.stack = [`ErrorException: ${message}`, ...calls.map((call) => `    ${call}`)].join('\n')
  }
}

/** Whether the type is one of `FatalErrors`. */
export function isFatal(type: number): boolean {
  return Object.values<number>(FatalErrors).includes(type)
}

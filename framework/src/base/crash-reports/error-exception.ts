/** Kinds of fatal errors: those after which a process, or the file at hand, cannot go on. */
export const FatalErrors = {
  /** The engine gave up, out of memory for example. */
  E_ERROR: 1,
  /** A file that was loaded does not parse. */
  E_PARSE: 4,
  E_CORE_ERROR: 16,
  E_COMPILE_ERROR: 64,
} as const
Object.freeze(FatalErrors)
export type FatalErrors = (typeof FatalErrors)[keyof typeof FatalErrors]

/** A fatal error as it was found. */
export interface FatalError {
  /** One of `FatalErrors`; others are not fatal. */
  readonly type: number
  readonly message: string
  /** Empty when unknown. */
  readonly file: string
  /** Counted from 1; 0 when unknown. */
  readonly line: number
  /** The calls that led there as V8 writes them, `at call (file:line:column)`, nearest first. */
  readonly trace?: readonly string[]
}

/** A fatal error made into an error like any other. Its stack begins where the fatal error was. */
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

/** Whether errors of this type end what ran into them. */
export function isFatal(type: number): boolean {
  return Object.values<number>(FatalErrors).includes(type)
}

import type { ErrorCode } from './error-codes.ts'

/** Base class of all errors the framework raises itself; programs can rely on `code`. */
export class FrameworkError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** The caller passed an invalid value; nothing was done with it. */
export class InvalidArgumentException extends FrameworkError {}

/** The error for an invalid value that needs no code of its own. */
export function invalidArgument(message: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', message)
}

/** The project is configured wrongly. Raised at start, with a message that says what to fix. */
export class ConfigurationError extends FrameworkError {}

/** Work was refused because too much is already waiting. Nothing was done; it may be retried. */
export class OverloadedError extends FrameworkError {
  /** Whole seconds after which a retry makes sense. */
  readonly retryAfter: number

  constructor(message: string, retryAfter: number, options?: ErrorOptions) {
    super('E_OVERLOADED', message, options)
    this.retryAfter = retryAfter
  }
}

/**
 * A value that only a client can have sent, such as a forged cursor or a text with NUL. To a caller it
 * is an `InvalidArgumentException`; a server responds with 400 and does not report it, so that clients
 * cannot fill the log.
 */
export class RefusedInput extends InvalidArgumentException {}

/** Whether this is a system error with one of the codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return codes.some((code) => code === error.code)
}

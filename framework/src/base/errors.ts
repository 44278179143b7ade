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

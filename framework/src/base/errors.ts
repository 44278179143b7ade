import type { ErrorCode } from './error-codes.ts'

/** Base of every error the framework raises itself: a message for people, a stable code for programs. */
export class FrameworkError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** The caller passed a value that can never work; nothing was done with it. */
export class InvalidArgumentException extends FrameworkError {}

/** The project is put together wrongly; it is found at start and says what to mend. */
export class ConfigurationError extends FrameworkError {}

/** Work was refused because too much of it waits already. Nothing was done; later it may be. */
export class OverloadedError extends FrameworkError {
  /** Whole seconds after which another attempt makes sense. */
  readonly retryAfter: number

  constructor(message: string, retryAfter: number, options?: ErrorOptions) {
    super('E_OVERLOADED', message, options)
    this.retryAfter = retryAfter
  }
}

import { InvalidArgumentException } from '../../base/errors.ts'
import { statusText } from '../server/engine/status.ts'

/** Extras of an `HttpError`. */
export interface HttpErrorOptions extends ErrorOptions {
  /** Headers the answer must carry, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An answer by status: throw it from anywhere to end the request with a clean page of that status.
 * The message is for developers; visitors see the status text. Below 500 it is not an incident.
 */
export class HttpError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  /** @throws InvalidArgumentException unless the status is a whole number from 400 to 599. */
  constructor(
    status: number,
    message: string = statusText(status),
    options: HttpErrorOptions = {},
  ) {
    super(message, options)
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      const reason = `an HttpError has a status from 400 to 599; got ${status}`
      throw new InvalidArgumentException('E_INVALID_ARGUMENT', reason)
    }
    this.name = 'HttpError'
    this.status = status
    this.headers = options.headers ?? {}
  }
}

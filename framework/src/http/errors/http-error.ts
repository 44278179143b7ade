import { invalidArgument } from '../../base/errors.ts'
import { english } from '../../i18n/english.ts'
import type { Translate } from '../../i18n/languages.ts'
import type { MessageValues } from '../../i18n/message.ts'
import { statusText } from '../server/engine/node-http.ts'

/** Options of `HttpError`. */
export interface HttpErrorOptions extends ErrorOptions {
  /** Headers of the response, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Whether clients see the message, in every environment. Never put input or internals into such a
   * message.
   * @default false
   */
  readonly expose?: boolean
  /**
   * Whether the response is problem details (RFC 9457) whatever the client accepts: for programs, which
   * often accept anything.
   * @default false
   */
  readonly problem?: boolean
}

/**
 * Throw it to end the request with the page of a status. The message is for developers, and visitors
 * see the status text, unless `expose` is set. Below 500 it is not reported.
 */
export class HttpError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Whether clients see the message. */
  readonly expose: boolean
  /** Whether the response is problem details whatever the client accepts. */
  readonly problem: boolean

  /** @throws InvalidArgumentException unless the status is a whole number from 400 to 599. */
  constructor(
    status: number,
    message: string = statusText(status),
    options: HttpErrorOptions = {},
  ) {
    super(message, options)
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      const reason = `the status of an HttpError must be a whole number from 400 to 599, got ${status}`
      throw invalidArgument(reason)
    }
    this.name = 'HttpError'
    this.status = status
    this.headers = options.headers ?? {}
    this.expose = options.expose ?? false
    this.problem = options.problem ?? false
  }
}

/**
 * An error that clients see, whose message has values. Programs and logs get it in English, visitors in their
 * language.
 */
export class TranslatedError extends HttpError {
  readonly #text: string
  readonly #values: MessageValues

  constructor(status: number, text: string, values: MessageValues) {
    super(status, english()(text, values), { expose: true })
    this.#text = text
    this.#values = values
  }

  /** The message in a language. */
  textIn(t: Translate): string {
    return t(this.#text, this.#values)
  }
}

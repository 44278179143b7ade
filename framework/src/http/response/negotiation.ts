import { isRecord } from '../../base/is-record.ts'
import { HttpError } from '../errors/http-error.ts'
import { preferredType } from '../request/accept.ts'

/** The parts of a response that `Negotiation` uses. */
export interface Negotiable {
  json(value: unknown): unknown
  text(value: string): unknown
  view(name: string, data: Record<string, unknown>): unknown
  vary(name: string): unknown
}

/** Representations offered besides JSON. */
export interface NegotiationOptions {
  /** Offers HTML: the view is rendered with `data`, or with the body if that is an object. */
  readonly view?: string
  readonly data?: Record<string, unknown>
  /** Offers plain text. */
  readonly text?: (body: unknown) => string
}

/** Sends one body as JSON, an HTML view or text, whichever the client prefers. */
export class Negotiation<Target extends Negotiable> {
  readonly #response: Target
  readonly #accept: string | undefined

  constructor(response: Target, accept: string | undefined) {
    this.#response = response
    this.#accept = accept
  }

  /**
   * Fills the response. JSON is always offered, and sent if there is no Accept header.
   * @throws HttpError 406 if the client accepts none of the offered types.
   */
  send(body: unknown, { view, data, text }: NegotiationOptions = {}): Target {
    const offers = ['application/json']
    if (view !== undefined) offers.push('text/html')
    if (text !== undefined) offers.push('text/plain')
    this.#response.vary('Accept')
    const type = preferredType(this.#accept, offers)
    if (type === null) throw new HttpError(406, `available types: ${offers.join(', ')}`)
    if (type === 'text/html' && view !== undefined) {
      this.#response.view(view, data ?? (isRecord(body) ? { ...body } : { body }))
    } else if (type === 'text/plain' && text !== undefined) this.#response.text(text(body))
    else this.#response.json(body)
    return this.#response
  }
}

import { HttpError } from '../errors/http-error.ts'
import { preferredType } from '../request/accept.ts'

/** What a negotiated answer needs of the response it fills. */
export interface Negotiable {
  json(value: unknown): unknown
  text(value: string): unknown
  view(name: string, data: Record<string, unknown>): unknown
  vary(name: string): unknown
}

/** Other forms of the same answer than JSON. */
export interface NegotiationOptions {
  /** Offers HTML: the view is rendered with `data`, or with the body when that is an object. */
  readonly view?: string
  readonly data?: Record<string, unknown>
  /** Offers plain text. */
  readonly text?: (body: unknown) => string
}

/** Sends one body in the form the client prefers: JSON, an HTML view or text. */
export class Negotiation<Answer extends Negotiable> {
  readonly #answer: Answer
  readonly #accept: string | undefined

  constructor(answer: Answer, accept: string | undefined) {
    this.#answer = answer
    this.#accept = accept
  }

  /**
   * Fills the response. JSON is always on offer; without an Accept header it is what goes out.
   * @throws HttpError 406 when the client accepts none of the forms.
   */
  send(body: unknown, { view, data, text }: NegotiationOptions = {}): Answer {
    const offers = ['application/json']
    if (view !== undefined) offers.push('text/html')
    if (text !== undefined) offers.push('text/plain')
    this.#answer.vary('Accept')
    const type = preferredType(this.#accept, offers)
    if (type === null) throw new HttpError(406, `offered are ${offers.join(', ')}`)
    if (type === 'text/html' && view !== undefined) this.#answer.view(view, data ?? asData(body))
    else if (type === 'text/plain' && text !== undefined) this.#answer.text(text(body))
    else this.#answer.json(body)
    return this.#answer
  }
}

function asData(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : { body }
}

import type { OtlpSpan } from './otlp-span.ts'

/** A batch with more bytes is sent, however few spans it has. */
const maxBytes = 1_048_576

/** Encoded spans of one request to the collector. */
export class SpanBatch {
  /** How many spans it has. */
  spans = 0
  /** Bytes of its spans. */
  bytes = 0
  /** How long encoding them took. */
  encodedMs = 0
  readonly #resource: string
  #json = ''
  #library: string | null = null

  /** `resource` is what the spans are of, as OTLP JSON. */
  constructor(resource: string) {
    this.#resource = resource
  }

  get isTooLong(): boolean {
    return this.bytes >= maxBytes
  }

  /**
   * Adds a span of a library.
   * @throws TypeError if it cannot be encoded.
   */
  add(library: string, span: OtlpSpan): void {
    const json = JSON.stringify(span)
    if (library === this.#library) this.#json += `,${json}`
    else {
      const end = this.#library === null ? '' : ']},'
      this.#json += `${end}{"scope":{"name":${JSON.stringify(library)}},"spans":[${json}`
    }
    this.#library = library
    this.spans += 1
    this.bytes += Buffer.byteLength(json)
  }

  /** The body of the request. */
  json(): string {
    const end = this.#library === null ? '' : ']}'
    return `{"resourceSpans":[{"resource":${this.#resource},"scopeSpans":[${this.#json}${end}]}]}`
  }
}

import { spanJson } from './otlp-span.ts'
import type { FinishedSpan } from './otlp-span.ts'

/** A batch with more bytes is sent, however few spans it has. */
const maxBytes = 1_048_576
const firstBytes = 65_536
/** UTF-8 needs at most this many bytes for a code unit of a text. */
const bytesPerUnit = 3

/**
 * Encoded spans of one request to the collector. They are bytes outside of V8's heap: as texts they would be
 * copied by the garbage collector while they wait.
 */
export class SpanBatch {
  /** How many spans it has. */
  spans = 0
  /** How long encoding them took. */
  encodedMs = 0
  #buffer = Buffer.allocUnsafeSlow(firstBytes)
  #bytes = 0
  #library: string | null = null

  /** `resource` is what the spans are of, as OTLP JSON. */
  constructor(resource: string) {
    this.#write(`{"resourceSpans":[{"resource":${resource},"scopeSpans":[`)
  }

  /** Its size so far. */
  get bytes(): number {
    return this.#bytes
  }

  get isTooLong(): boolean {
    return this.#bytes >= maxBytes
  }

  /** Adds a span. */
  add(span: FinishedSpan): void {
    const { library } = span
    if (library === this.#library) this.#write(`,${spanJson(span)}`)
    else {
      const end = this.#library === null ? '' : ']},'
      const scope = `{"scope":{"name":${JSON.stringify(library)}},"spans":[`
      this.#write(end + scope + spanJson(span))
    }
    this.#library = library
    this.spans += 1
  }

  /** The body of the request; nothing may be added after that. */
  end(): Buffer<ArrayBuffer> {
    this.#write(this.#library === null ? ']}]}' : ']}]}]}')
    return this.#buffer.subarray(0, this.#bytes)
  }

  #write(json: string): void {
    const needed = this.#bytes + json.length * bytesPerUnit
    if (needed > this.#buffer.byteLength) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.byteLength * 2))
      this.#buffer.copy(larger, 0, 0, this.#bytes)
      this.#buffer = larger
    }
    this.#bytes += this.#buffer.write(json, this.#bytes)
  }
}

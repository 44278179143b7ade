import { maxFrameBytes, writeFrame } from './span-frame.ts'
import type { SpanTable } from './span-table.ts'

/** A batch with more bytes is sent, however few spans it has. */
const maxBytes = 1_048_576
const firstBytes = 4_096
/** UTF-8 needs at most this many bytes for a code unit of a text. */
const bytesPerUnit = 3

/**
 * Encoded spans of one request to the collector. They are bytes outside of V8's heap: as objects they would be
 * copied by the garbage collector for as long as they wait.
 */
export class SpanBatch {
  /** How many spans it has. */
  spans = 0
  /** How long encoding them took. */
  encodedMs = 0
  #bytes: Buffer<ArrayBuffer>
  #length = 0
  #scope: string | null = null

  /** `resource` is what the spans are of, as OTLP JSON; `memory` is that of an earlier batch. */
  constructor(resource: string, memory: Buffer<ArrayBuffer> | null = null) {
    this.#bytes = memory ?? Buffer.allocUnsafeSlow(firstBytes)
    this.#text(`{"resourceSpans":[{"resource":${resource},"scopeSpans":[`)
  }

  /** Its bytes so far. */
  get length(): number {
    return this.#length
  }

  get isTooLong(): boolean {
    return this.#length >= maxBytes
  }

  /** Adds a span. */
  add(table: SpanTable, row: number): void {
    const { scopes, rests } = table
    this.#begin(scopes[row] ?? '')
    this.#reserve(maxFrameBytes)
    this.#length = writeFrame(this.#bytes, this.#length, table, row)
    const rest = rests[row] ?? '}'
    if (typeof rest === 'string') this.#text(rest)
    else this.#copy(rest)
    this.spans += 1
  }

  /** The body of the request; nothing may be added after that. */
  end(): Buffer<ArrayBuffer> {
    this.#text(this.#scope === null ? ']}]}' : ']}]}]}')
    return this.#bytes.subarray(0, this.#length)
  }

  /** Its memory, for another batch, once the request is over; null if it is unusually much. */
  release(): Buffer<ArrayBuffer> | null {
    return this.#bytes.byteLength <= maxBytes ? this.#bytes : null
  }

  #begin(scope: string): void {
    if (scope === this.#scope) return this.#copy(comma)
    const end = this.#scope === null ? '' : ']},'
    this.#scope = scope
    this.#text(`${end}{"scope":{"name":${JSON.stringify(scope)}},"spans":[`)
  }

  #copy(json: Uint8Array): void {
    this.#reserve(json.byteLength)
    this.#bytes.set(json, this.#length)
    this.#length += json.byteLength
  }

  #text(json: string): void {
    this.#reserve(json.length * bytesPerUnit)
    this.#length += this.#bytes.write(json, this.#length)
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.byteLength) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.byteLength * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

const comma = Buffer.from(',')

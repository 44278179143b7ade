import { randomWord } from '../span-ids.ts'
import type { SpanId, TraceWords } from '../span-ids.ts'

/** So many words has the id of a trace, and those of a span and its parent. */
export const idWords = 8

/**
 * Finished spans that are encoded together: one at a time the processor would have to load the code anew, and as
 * objects their memory.
 */
export class SpanTable {
  readonly rows: number
  readonly ids: Int32Array
  readonly times: Float64Array
  readonly scopes: string[]
  readonly rests: (Uint8Array | string)[]
  #size = 0

  constructor(rows: number) {
    this.rows = rows
    this.scopes = Array.from({ length: rows }, () => '')
    this.rests = Array.from({ length: rows }, () => '')
    this.ids = new Int32Array(rows * idWords)
    this.times = new Float64Array(rows * 2)
  }

  get size(): number {
    return this.#size
  }

  get isFull(): boolean {
    return this.#size >= this.rows
  }

  /** Adds a span, see `SpanSink`. */
  add(
    scope: string,
    trace: TraceWords,
    id: SpanId | null,
    parent: SpanId | null,
    startMs: number,
    endMs: number,
    rest: Uint8Array | string,
  ): void {
    const { ids, times } = this
    const row = this.#size
    this.#size += 1
    this.rests[row] = rest
    this.scopes[row] = scope
    times[row * 2] = startMs
    times[row * 2 + 1] = endMs
    const at = row * idWords
    trace.writeId(ids, at)
    // No id consists of noughts.
    ids[at + 4] = id === null ? randomWord() : id.high
    ids[at + 5] = id === null ? randomWord() || 1 : id.low
    ids[at + 6] = parent === null ? 0 : parent.high
    ids[at + 7] = parent === null ? 0 : parent.low
  }

  /** Removes all; their memory is used again. */
  clear(): void {
    for (let row = 0; row < this.#size; row += 1) this.rests[row] = ''
    this.#size = 0
  }
}

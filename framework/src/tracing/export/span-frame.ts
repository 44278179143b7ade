import { writeUnixNano } from '../epoch-clock.ts'
import { idWords } from './span-table.ts'
import type { SpanTable } from './span-table.ts'

const ofRoot = formOf('')
const ofChild = formOf(`,"parentSpanId":"${'0'.repeat(16)}"`)

/** What a frame takes at most. */
export const maxFrameBytes: number = ofChild.bytes.byteLength

/**
 * Writes the beginning of a span as OTLP JSON: what every span has, up to its name. Returns where it ends.
 */
export function writeFrame(
  to: Uint8Array,
  at: number,
  { ids, times }: SpanTable,
  row: number,
): number {
  const first = row * idWords
  const isRoot = ids[first + 6] === 0 && ids[first + 7] === 0
  const { bytes, trace, span, parent, start, end } = isRoot ? ofRoot : ofChild
  to.set(bytes, at)
  for (let word = 0; word < 4; word += 1) {
    writeWord(to, at + trace + word * 8, ids[first + word] ?? 0)
  }
  writeWord(to, at + span, ids[first + 4] ?? 0)
  writeWord(to, at + span + 8, ids[first + 5] ?? 0)
  if (!isRoot) {
    writeWord(to, at + parent, ids[first + 6] ?? 0)
    writeWord(to, at + parent + 8, ids[first + 7] ?? 0)
  }
  writeUnixNano(to, at + start, times[row * 2] ?? 0)
  writeUnixNano(to, at + end, times[row * 2 + 1] ?? 0)
  return at + bytes.byteLength
}

/** A frame with noughts, and where its values are. */
interface FrameForm {
  readonly bytes: Uint8Array
  readonly trace: number
  readonly span: number
  readonly parent: number
  readonly start: number
  readonly end: number
}

function formOf(parent: string): FrameForm {
  const ids = `{"traceId":"${'0'.repeat(32)}","spanId":"${'0'.repeat(16)}"${parent}`
  const time = '0'.repeat(19)
  const text = `${ids},"startTimeUnixNano":"${time}","endTimeUnixNano":"${time}"`
  const valueOf = (key: string): number => text.indexOf(key) + key.length
  return {
    bytes: Buffer.from(text),
    trace: valueOf('"traceId":"'),
    span: valueOf('"spanId":"'),
    parent: valueOf('"parentSpanId":"'),
    start: valueOf('"startTimeUnixNano":"'),
    end: valueOf('"endTimeUnixNano":"'),
  }
}

// Two digits for each byte.
const hex = Buffer.from(
  Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''),
)

function writeWord(to: Uint8Array, at: number, word: number): void {
  for (let byte = 0; byte < 4; byte += 1) {
    const digits = ((word >>> (24 - byte * 8)) & 255) * 2
    to[at + byte * 2] = hex[digits] ?? 0
    to[at + byte * 2 + 1] = hex[digits + 1] ?? 0
  }
}

/** Part of a file: `length` bytes from `start`. */
export interface ByteRange {
  readonly start: number
  readonly length: number
}

/**
 * The requested range. Null means the whole file: there is no range, a malformed one, or several,
 * which a server may ignore and which are mostly used for attacks. `unsatisfiable` if it lies outside.
 */
export function byteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') return suffix(Math.min(Number(last), size), size)
  const start = Number(first)
  const end = last === '' ? Infinity : Number(last)
  if (end < start) return null
  if (start >= size) return 'unsatisfiable'
  return { start, length: Math.min(end, size - 1) - start + 1 }
}

function suffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  return length === 0 ? 'unsatisfiable' : { start: size - length, length }
}

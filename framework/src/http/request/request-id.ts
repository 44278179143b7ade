const validId = /^[\w.~+/=:@-]{1,128}$/

/** The id sent by a client or proxy, if it is a token of at most 128 characters, else a new one. */
export function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && validId.test(given) ? given : newRequestId()
}

/** Ids that are made at once. */
const count = 64
const random = new Uint8Array(16 * count)
const digits = Buffer.from('0123456789abcdef')
const letters = Buffer.alloc(36 * count, '-')

let texts = ''
let used = count

/**
 * A new UUID of version 4. It is a part of one long text: the lines of a log, which have it twice, are put
 * together from it far faster than from the many short texts of `randomUUID`.
 */
function newRequestId(): string {
  if (used === count) refill()
  const from = 36 * used
  used += 1
  return texts.slice(from, from + 36)
}

function refill(): void {
  process.getBuiltinModule('node:crypto').randomFillSync(random)
  let to = 0
  for (let at = 0; at < random.length; at += 1) {
    const place = at % 16
    // After 8, 12, 16 and 20 digits there is a hyphen.
    if (place === 4 || place === 6 || place === 8 || place === 10) to += 1
    const byte = versioned(random[at] ?? 0, place)
    letters[to] = digits[byte >> 4] ?? 0
    letters[to + 1] = digits[byte & 15] ?? 0
    to += 2
  }
  texts = letters.toString('latin1')
  used = 0
}

function versioned(byte: number, place: number): number {
  if (place === 6) return (byte & 0x0f) | 0x40
  return place === 8 ? (byte & 0x3f) | 0x80 : byte
}

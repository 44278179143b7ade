/**
 * Writes the few kinds of ASN.1 values that a certificate needs, in DER (distinguished encoding
 * rules): a tag, a length, the content.
 */
export const der = {
  sequence(...parts: readonly Uint8Array[]): Buffer {
    return wrap(0x30, Buffer.concat(parts))
  },

  set(...parts: readonly Uint8Array[]): Buffer {
    return wrap(0x31, Buffer.concat(parts))
  },

  boolean(value: boolean): Buffer {
    return wrap(0x01, Buffer.of(value ? 0xff : 0))
  },

  /** A non-negative integer, most significant byte first. */
  integer(bytes: Uint8Array): Buffer {
    const start = bytes.findIndex((byte) => byte !== 0)
    const digits = start === -1 ? Buffer.of(0) : Buffer.from(bytes.subarray(start))
    // A set top bit would make the number negative.
    const negative = (digits[0] ?? 0) >= 0x80
    return wrap(0x02, negative ? Buffer.concat([Buffer.of(0), digits]) : digits)
  },

  /** An object identifier such as `2.5.4.3`. */
  oid(dotted: string): Buffer {
    const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
    return wrap(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
  },

  text(value: string): Buffer {
    return wrap(0x0c, Buffer.from(value, 'utf8'))
  },

  octets(content: Uint8Array): Buffer {
    return wrap(0x04, content)
  },

  /** Bits in whole bytes, of which the last `unused` do not count. */
  bits(content: Uint8Array, unused = 0): Buffer {
    return wrap(0x03, Buffer.concat([Buffer.of(unused), content]))
  },

  /** A time in seconds: a two-digit year until 2049 and four digits after, as X.509 requires. */
  time(moment: Date): Buffer {
    const digits = moment.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')
    const short = moment.getUTCFullYear() < 2050
    return wrap(short ? 0x17 : 0x18, Buffer.from(`${short ? digits.slice(2) : digits}Z`, 'latin1'))
  },

  /** A context-specific value; `constructed` when it contains other values. */
  tagged(number: number, content: Uint8Array, constructed: boolean): Buffer {
    return wrap((constructed ? 0xa0 : 0x80) | number, content)
  },
} as const

function wrap(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(tag), length(content.length), content])
}

function length(count: number): Buffer {
  if (count < 0x80) return Buffer.of(count)
  const digits: number[] = []
  for (let rest = count; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return Buffer.of(0x80 | digits.length, ...digits)
}

function base128(number: number): number[] {
  const digits = [number % 128]
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    digits.unshift((rest % 128) | 0x80)
  }
  return digits
}

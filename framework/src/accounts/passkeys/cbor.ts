/** A whole number from -65536 to 65535 in CBOR (RFC 8949), as far as authenticators need it. */
export function cborNumber(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value)
}

/** Bytes in CBOR, fewer than 65,536. */
export function cborBytes(bytes: Uint8Array): Buffer {
  return Buffer.concat([head(2, bytes.length), bytes])
}

/** A text in CBOR. */
export function cborText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([head(3, bytes.length), bytes])
}

/** A map in CBOR of keys and values that are encoded already. */
export function cborMap(entries: readonly (readonly [key: Buffer, value: Buffer])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat()])
}

function head(kind: number, value: number): Buffer {
  if (value < 24) return Buffer.of((kind << 5) | value)
  if (value < 256) return Buffer.of((kind << 5) | 24, value)
  return Buffer.of((kind << 5) | 25, value >> 8, value & 255)
}

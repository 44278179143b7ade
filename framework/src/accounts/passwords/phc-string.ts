/** A hash in PHC string format: `$id[$v=19]$m=1,t=2$salt$hash`. */
export interface PhcString {
  readonly id: string
  readonly version: number | null
  /** In their order of appearance. */
  readonly parameters: readonly (readonly [name: string, value: number])[]
  readonly salt: Buffer
  readonly hash: Buffer
}

const form =
  /^\$([a-z0-9-]{1,32})(?:\$v=(\d+))?\$([a-z]+=\d+(?:,[a-z]+=\d+)*)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Far longer than any accepted hash; limits the cost of a broken row. */
const maxLength = 512

/**
 * Parses a hash; null for anything that is not strictly canonical. Each hash has exactly one text:
 * no padding, no stray bits in the base64, no leading zeros.
 */
export function parsePhc(text: string): PhcString | null {
  if (text.length > maxLength) return null
  const [, id = '', version, pairs = '', saltText = '', hashText = ''] = form.exec(text) ?? []
  const salt = decoded(saltText)
  const hash = decoded(hashText)
  if (id === '' || salt === null || hash === null) return null
  const parameters = pairs.split(',').map((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return [name, wholeNumber(value)] as const
  })
  const parsed = { id, version: version === undefined ? null : wholeNumber(version) }
  const isValid = [parsed.version ?? 0, ...parameters.map(([, value]) => value)].every(
    (value) => !Number.isNaN(value),
  )
  return isValid ? { ...parsed, parameters, salt, hash } : null
}

/** Formats a hash for `parsePhc`. */
export function formatPhc({ id, version, parameters, salt, hash }: PhcString): string {
  const pairs = parameters.map(([name, value]) => `${name}=${value}`).join(',')
  const versioned = version === null ? '' : `$v=${version}`
  return `$${id}${versioned}$${pairs}$${encoded(salt)}$${encoded(hash)}`
}

function encoded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

function decoded(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return encoded(bytes) === text ? bytes : null
}

function wholeNumber(digits: string): number {
  const value = Number(digits)
  return Number.isSafeInteger(value) && String(value) === digits ? value : NaN
}

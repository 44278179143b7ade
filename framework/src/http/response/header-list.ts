import { InvalidArgumentException } from '../../base/errors.ts'

const token = /^[\w!#$%&'*+.^`|~-]+$/
const forbiddenInValue = /[^\t\x20-\x7e\x80-\xff]/

/** A validated name with its last validated value: most headers repeat on every response. */
interface Known {
  readonly lower: string
  value: string
}

const knownNames = new Map<string, Known>()
/** Keeps generated names from growing the map without limit. */
const maxKnownNames = 1000
const maxKnownLength = 200

/**
 * The headers of one response, in the order they were set; names are case-insensitive. Line breaks are
 * rejected, so no value can inject a header.
 */
export class HeaderList {
  /** Names and values alternating, as the engine takes them. */
  readonly flat: string[] = []
  readonly #lower: string[] = []

  get(name: string): string | undefined {
    const at = this.#lower.indexOf(name.toLowerCase())
    return at === -1 ? undefined : this.flat[at * 2 + 1]
  }

  has(name: string): boolean {
    return this.#lower.includes(name.toLowerCase())
  }

  /** Replaces every header of that name. @throws InvalidArgumentException for invalid characters. */
  set(name: string, value: string): void {
    const lower = check(name, value)
    for (let at = 0; at < this.#lower.length; at += 1) {
      if (this.#lower[at] !== lower) continue
      this.flat[at * 2 + 1] = value
      this.#deleteFrom(at + 1, lower)
      return
    }
    this.flat.push(name, value)
    this.#lower.push(lower)
  }

  /**
   * Sets `Content-Type` without validation, for speed: only for the framework's own constant types.
   */
  setFixedType(type: string): void {
    const at = this.#lower.indexOf('content-type')
    if (at !== -1) this.flat[at * 2 + 1] = type
    else {
      this.#lower.push('content-type')
      this.flat.push('Content-Type', type)
    }
  }

  /** Adds another header of that name. @throws InvalidArgumentException for invalid characters. */
  append(name: string, value: string): void {
    this.#lower.push(check(name, value))
    this.flat.push(name, value)
  }

  /** Adds the headers of another list whose names are missing here. */
  addMissing(other: HeaderList): void {
    for (let at = 0; at < other.#lower.length; at += 1) {
      const lower = other.#lower[at] ?? ''
      if (this.#lower.includes(lower)) continue
      this.#lower.push(lower)
      this.flat.push(other.flat[at * 2] ?? '', other.flat[at * 2 + 1] ?? '')
    }
  }

  delete(name: string): void {
    this.#deleteFrom(0, name.toLowerCase())
  }

  /** All values of a name. */
  all(name: string): string[] {
    const lower = name.toLowerCase()
    return this.flat.filter((_, at) => at % 2 === 1 && this.#lower[(at - 1) / 2] === lower)
  }

  clear(): void {
    this.flat.length = 0
    this.#lower.length = 0
  }

  *[Symbol.iterator](): IterableIterator<[name: string, value: string]> {
    for (let at = 0; at < this.flat.length; at += 2) {
      yield [this.flat[at] ?? '', this.flat[at + 1] ?? '']
    }
  }

  #deleteFrom(start: number, lower: string): void {
    for (let at = this.#lower.length - 1; at >= start; at -= 1) {
      if (this.#lower[at] !== lower) continue
      this.#lower.splice(at, 1)
      this.flat.splice(at * 2, 2)
    }
  }
}

/** Validates a header and returns its name in lower case. */
function check(name: string, value: string): string {
  const known = knownNames.get(name) ?? learn(name)
  if (known.value !== value) {
    if (forbiddenInValue.test(value)) throw invalidValue(name)
    // Cookies are secrets and must not stay in memory.
    if (value.length <= maxKnownLength && known.lower !== 'set-cookie') known.value = value
  }
  return known.lower
}

function learn(name: string): Known {
  if (!token.test(name))
    throw new InvalidArgumentException('E_HEADER', `"${name}" is not a header name`)
  const known: Known = { lower: name.toLowerCase(), value: '' }
  if (knownNames.size < maxKnownNames) knownNames.set(name, known)
  return known
}

function invalidValue(name: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_HEADER',
    `the value of header ${name} contains a line break, a control character or a character outside Latin-1; encode it`,
  )
}

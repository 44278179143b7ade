import { InvalidArgumentException } from '../../base/errors.ts'

const token = /^[\w!#$%&'*+.^`|~-]+$/
const forbiddenInValue = /[^\t\x20-\x7e\x80-\xff]/

/** A name found to be a token, and the sound value it had last; both repeat on every answer. */
interface Known {
  readonly lower: string
  value: string
}

const knownNames = new Map<string, Known>()
/** A program that makes up names must not grow the map for ever. */
const knownNamesBound = 1000
const maxKeptLength = 200

/**
 * The headers of one answer, in the order they were set; names compare without regard to case.
 * No line break can get in, so no value can add a header of its own.
 */
export class HeaderList {
  /** Names and values in turn, as they go to the engine. */
  readonly flat: string[] = []
  readonly #lower: string[] = []

  get(name: string): string | undefined {
    const at = this.#lower.indexOf(name.toLowerCase())
    return at === -1 ? undefined : this.flat[at * 2 + 1]
  }

  has(name: string): boolean {
    return this.#lower.includes(name.toLowerCase())
  }

  /** Replaces every header of that name. @throws InvalidArgumentException for what HTTP forbids. */
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
   * Sets the media type without looking at it again: for the fixed types of the framework's own
   * answers, which stand in every one of them.
   */
  setFixedType(type: string): void {
    const at = this.#lower.indexOf('content-type')
    if (at !== -1) this.flat[at * 2 + 1] = type
    else {
      this.#lower.push('content-type')
      this.flat.push('Content-Type', type)
    }
  }

  /** Adds one more header of that name. @throws InvalidArgumentException for what HTTP forbids. */
  append(name: string, value: string): void {
    this.#lower.push(check(name, value))
    this.flat.push(name, value)
  }

  /** Adds the headers of another list whose names are not here yet; they were checked there. */
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

  /** Every value under a name. */
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

/** Checks a header and gives the lower-case form of its name. */
function check(name: string, value: string): string {
  const known = knownNames.get(name) ?? learn(name)
  if (known.value !== value) {
    if (forbiddenInValue.test(value)) throw unsoundValue(name)
    // Cookies are nobody's to keep.
    if (value.length <= maxKeptLength && known.lower !== 'set-cookie') known.value = value
  }
  return known.lower
}

function learn(name: string): Known {
  if (!token.test(name))
    throw new InvalidArgumentException('E_HEADER', `"${name}" is not a header name`)
  const known: Known = { lower: name.toLowerCase(), value: '' }
  if (knownNames.size < knownNamesBound) knownNames.set(name, known)
  return known
}

function unsoundValue(name: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_HEADER',
    `the value of header ${name} holds a line break, a control character or text beyond Latin-1; encode it`,
  )
}

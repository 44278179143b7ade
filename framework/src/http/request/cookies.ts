import { decoded } from '../../base/mask-named.ts'

/** The cookies of one request, parsed on first use. */
export class Cookies {
  readonly #header: string
  #values: Map<string, string> | null = null

  constructor(header: string | undefined) {
    this.#header = header ?? ''
  }

  /** The value of a cookie. If a name occurs twice, the first one, with the more specific path, counts. */
  get(name: string): string | undefined {
    return this.all().get(name)
  }

  has(name: string): boolean {
    return this.all().has(name)
  }

  all(): ReadonlyMap<string, string> {
    this.#values ??= parseCookies(this.#header)
    return this.#values
  }
}

function parseCookies(header: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals === -1) continue
    const name = pair.slice(0, equals).trim()
    if (name !== '' && !values.has(name))
      values.set(name, decodeValue(pair.slice(equals + 1).trim()))
  }
  return values
}

function decodeValue(raw: string): string {
  const value = raw.length > 1 && raw.startsWith('"') && raw.endsWith('"') ? raw.slice(1, -1) : raw
  return decoded(value)
}

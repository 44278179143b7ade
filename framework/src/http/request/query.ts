/** Values by name; the last one if a name occurs several times. */
export type Values = Readonly<Record<string, string>>

/** A parsed query string. */
export class Query {
  readonly values: Values
  readonly #parameters: URLSearchParams

  constructor(text: string) {
    this.#parameters = new URLSearchParams(text)
    this.values = lastValues(this.#parameters)
  }

  /** All values of a name, in order. */
  all(name: string): string[] {
    return this.#parameters.getAll(name)
  }
}

/** A record without a prototype, so that names such as `__proto__` are ordinary keys. */
export function lastValues(pairs: Iterable<readonly [string, string]>): Values {
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of pairs) values[name] = value
  return values
}

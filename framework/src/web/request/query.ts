/** Values by name; of several under one name the last. */
export type Values = Readonly<Record<string, string>>

/** The query string of a target, parsed. */
export class Query {
  readonly values: Values
  readonly #parameters: URLSearchParams

  constructor(text: string) {
    this.#parameters = new URLSearchParams(text)
    this.values = lastValues(this.#parameters)
  }

  /** Every value given under a name, in order. */
  all(name: string): string[] {
    return this.#parameters.getAll(name)
  }
}

/** A record without a prototype, so that no name in a request reaches one. */
export function lastValues(pairs: Iterable<readonly [string, string]>): Values {
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of pairs) values[name] = value
  return values
}

const maxNames = 500
const maxTextLength = 10_000
const maxRenewals = 3
const repeated = /^\s*(select|insert|update|delete|with|values)\b/i

/**
 * The names under which statements stay prepared on the connections of a pool. A statement without
 * one is parsed anew each time, which always works; so the server's memory is bounded by leaving
 * names out: of texts that came after the first 500, are very long, or change the schema.
 */
export class StatementNames {
  readonly #names = new Map<string, { name: string | null; renewals: number }>()
  #count = 0

  /** The name of a statement, or null when it is to be sent without one. */
  nameOf(sql: string): string | null {
    const known = this.#names.get(sql)
    if (known !== undefined) return known.name
    if (this.#names.size >= maxNames || sql.length > maxTextLength || !repeated.test(sql))
      return null
    const name = this.#next()
    this.#names.set(sql, { name, renewals: 0 })
    return name
  }

  /**
   * Gives a statement a new name because its tables have changed since: the server no longer accepts
   * what stands under the old one, on this connection and so, sooner or later, on the others.
   */
  renew(sql: string, name: string): void {
    const known = this.#names.get(sql)
    if (known?.name === name) known.name = this.#next()
  }

  /**
   * Gives a statement a new name because a session does not have it. One that is forgotten again and
   * again, as behind a pooler that hands each statement to another session, loses its name for good.
   */
  renewForgotten(sql: string, name: string): void {
    const known = this.#names.get(sql)
    if (known?.name !== name) return
    known.renewals += 1
    known.name = known.renewals > maxRenewals ? null : this.#next()
  }

  #next(): string {
    this.#count += 1
    return `f${this.#count}`
  }
}

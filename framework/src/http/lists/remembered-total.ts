import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { cursorContext } from '../../orm/pagination/cursor.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { SelectPlan } from '../../database/sql/plan/select-plan.ts'

// Separates these signatures from any other use of the same key.
const purpose = 'framework/lists total 1'
const form = /^(\d{1,16})\.(\d{1,12})\.([\w-]{43})$/

/**
 * The total of a list in its links: the number, when it expires, and a signature over both and the
 * filters with their values, so that nobody can make one up or use it for another list.
 */
export class RememberedTotal {
  readonly #keys: readonly KeyObject[]
  readonly #context: string
  readonly #clock: () => number

  constructor(
    keys: readonly KeyObject[],
    plan: SelectPlan,
    dialect: Dialect,
    clock: () => number = epochSeconds,
  ) {
    this.#keys = keys
    this.#context = cursorContext(plan, [], dialect)
    this.#clock = clock
  }

  /** The total of a token; null if it is missing, expired or not ours, and has to be counted again. */
  read(token: string | null): number | null {
    const [, total = '', expires = '', signature = ''] = form.exec(token ?? '') ?? []
    if (signature === '' || Number(expires) <= this.#clock()) return null
    const given = Buffer.from(signature)
    const isSigned = this.#keys.some((key) =>
      timingSafeEqual(Buffer.from(this.#signature(key, total, expires)), given),
    )
    return isSigned ? Number(total) : null
  }

  /** A token that is valid for some seconds. */
  sign(total: number, seconds: number): string | null {
    const [key] = this.#keys
    const expires = String(Math.ceil(this.#clock() + seconds))
    if (key === undefined) return null
    return `${total}.${expires}.${this.#signature(key, String(total), expires)}`
  }

  #signature(key: KeyObject, total: string, expires: string): string {
    const text = `${purpose}\0${total}\0${expires}\0${this.#context}`
    return createHmac('sha256', key).update(text).digest('base64url')
  }
}

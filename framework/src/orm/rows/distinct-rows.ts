import { InvalidArgumentException } from '../../base/errors.ts'
import { timeText } from '../../database/sql/values/moment.ts'
import { decimalUnits } from '../../database/sql/values/room-for.ts'
import { uuidText } from '../../database/sql/values/uuid.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import type { Assignment } from './assignments.ts'

/** Notices rows of a list that are the same row by some columns. */
export class DistinctRows {
  readonly #entity: AnyEntity
  readonly #by: readonly EntityColumn[]
  readonly #positions = new Map<string, number>()
  #count = 0

  constructor(entity: AnyEntity, by: readonly EntityColumn[]) {
    this.#entity = entity
    this.#by = by
  }

  /**
   * Adds the next row of the list.
   * @throws InvalidArgumentException that names the positions of both rows.
   */
  add(assignments: readonly Assignment[]): void {
    const position = this.#count++
    const identity = this.#identity(assignments)
    if (identity === null) return
    const other = this.#positions.get(identity)
    if (other === undefined) {
      this.#positions.set(identity, position)
      return
    }
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `${this.#entity.table}: the rows at ${other} and ${position} of the list have the same ${this.#by.map(({ property }) => property).join(', ')}; keep one of them`,
    )
  }

  // NULL equals nothing, so a row with one is never the same as another.
  #identity(assignments: readonly Assignment[]): string | null {
    const parts: string[] = []
    for (const column of this.#by) {
      const value = assignments.find((assignment) => assignment.column === column)?.value
      if (value === null || value === undefined) return null
      parts.push(identityOf(value, column))
    }
    return parts.length === 1 ? (parts[0] ?? null) : JSON.stringify(parts)
  }
}

function identityOf(value: unknown, { kind, scale }: EntityColumn): string {
  if (typeof value === 'string') {
    if (kind === 'decimal' && isDecimal.test(value)) return String(decimalUnits(value, scale))
    if (kind === 'uuid') return uuidText(value) ?? value
    return kind === 'time' ? (timeText(value) ?? value) : value
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Date) return String(value.getTime())
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

const isDecimal = /^-?\d+(\.\d+)?$/

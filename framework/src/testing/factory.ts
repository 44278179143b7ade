import type { AnyEntity } from '../orm/entity/entity.ts'
import type { NewRowOf, RowOf } from '../orm/entity/row.ts'
import type { Repository } from '../orm/repository.ts'

/** Makes rows for tests. */
export interface Factory<E extends AnyEntity> {
  /** Inserts one row, with these values instead of the default ones. */
  one(values?: Partial<NewRowOf<E>>): Promise<RowOf<E>>
  /** Inserts as many rows, with these values instead of the default ones. */
  create(count: number, values?: Partial<NewRowOf<E>>): Promise<RowOf<E>[]>
}

/**
 * Makes rows of an entity whose values a test does not care about: `factory(notes, (n) => ({ title: \`note
 * ${n}\` }))`, where `n` counts from 1. The function may be asynchronous, to insert what a row refers to.
 */
export function factory<E extends AnyEntity>(
  repository: Repository<E>,
  defaults: (n: number) => NewRowOf<E> | Promise<NewRowOf<E>>,
): Factory<E> {
  let made = 0
  const next = async (values: Partial<NewRowOf<E>>): Promise<NewRowOf<E>> => {
    made += 1
    return { ...(await defaults(made)), ...values }
  }
  return {
    one: async (values = {}) => repository.insert(await next(values)),
    async create(count, values = {}) {
      const rows: NewRowOf<E>[] = []
      while (rows.length < count) rows.push(await next(values))
      return repository.insertMany(rows)
    },
  }
}

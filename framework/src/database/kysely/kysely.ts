import { Kysely } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { InvalidArgumentException } from '../../base/errors.ts'
import type { Surface } from '../surface.ts'
import { SurfaceConnection } from './surface-connection.ts'
import { SurfaceDialect } from './surface-dialect.ts'

/**
 * A Kysely that sends its queries through a database or a transaction of ours: on its pool, with its
 * transactions, query log and spans. Nothing has to be closed: `destroy()` leaves the database open.
 */
export function kysely<Tables>(surface: Surface): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SurfaceDialect(surface) })
}

/**
 * Where a Kysely sends its queries: for a transaction of Kysely the transaction, so that a `Repository`
 * can be part of it.
 * @throws InvalidArgumentException for one that `kysely()` has not made.
 */
export async function surfaceOf(queries: QueryExecutorProvider): Promise<Surface> {
  const surface = await queries
    .getExecutor()
    .provideConnection((connection) =>
      Promise.resolve(connection instanceof SurfaceConnection ? connection.surface : null),
    )
  if (surface !== null) return surface
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'surfaceOf() takes what kysely() of framework/kysely made, or a transaction of it',
  )
}

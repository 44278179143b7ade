import type { Server } from '../../src/http/server/server.ts'

/** A message that would do harm on a page that does not escape it. */
export const hostileMessage = `</script></textarea><img src=x onerror="document.title='run'">`

class QueryError extends Error {
  readonly code = 'E_QUERY'
}

/** Routes that fail in the ways a debug page has to show. */
export function failingRoutes({ router }: Server): void {
  router.get('/users/:id', (request) => showUser(Number(request.params.id)))
  router.get('/hostile', () => {
    throw new Error(hostileMessage)
  })
}

function showUser(id: number): never {
  const rows = loadUser(id)
  throw new TypeError(`User ${id} has ${rows.length} rows`)
}

function loadUser(id: number): string[] {
  try {
    // Tokens of every highlight colour near the failing lines: null, 12, /x/, Type.
    return query(`SELECT * FROM users WHERE id = ${id}`)
  } catch (error) {
    const behind = 12
    const others = [new RangeError(`The replica is ${behind} s behind`), error]
    throw new AggregateError(others, `User ${id} could not be loaded`, { cause: error })
  }
}

function query(sql: string): string[] {
  throw new QueryError(`There is no table "users"\n\nwhile running ${sql}`) // never 1 null
}

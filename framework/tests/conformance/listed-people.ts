import type { TestContext } from 'node:test'
import { InvalidArgumentException } from '../../src/base/errors.ts'
import type { Surface } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { bigint, key, text } from '../../src/orm/entity/column.ts'
import type { Column } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import type { Entity } from '../../src/orm/entity/entity.ts'
import { Repository } from '../../src/orm/repository.ts'
import { Matches, Orders } from '../../src/database/sql/plan/operators.ts'
import type { Request } from '../../src/http/request/request.ts'
import type { DatabaseResourceOptions } from '../../src/http/response/database-resource.ts'
import { DatabaseResource } from '../../src/http/response/database-resource.ts'
import type { Response } from '../../src/http/response/response.ts'
import { serve } from '../support/serve.ts'

type PeopleEntity = Entity<{
  readonly id: Column<number, true, true>
  readonly name: Column<string, false, false>
  readonly badge: Column<bigint, false, false>
}>

/** People, each with a 64-bit number. */
export const People: PeopleEntity = entity('people', {
  id: key.integer(),
  name: text(),
  badge: bigint(),
})

/** The badge of the first person, too large for a JavaScript number. */
export const firstBadge = 9_007_199_254_740_993n

const names = ['Ada', 'Bob', 'Cleo', 'Dan']

/** Creates the people table with this many rows, with repeating names. */
export async function plantPeople(surface: Surface, count: number): Promise<void> {
  await surface.transaction((transaction) =>
    new Schema(transaction).createTable('people', (table) => {
      table.key()
      table.text('name', { length: 40 })
      table.bigint('badge')
    }),
  )
  const rows = Array.from({ length: count }, (_, index) => ({
    name: names[index % names.length] ?? '',
    badge: firstBadge + BigInt(index),
  }))
  if (count > 0) await new Repository(People, surface).insertMany(rows)
}

/** The response of a list. */
export interface ListAnswer {
  readonly status: number
  readonly type: string | null
  readonly link: string | null
  readonly total: string | null
  readonly body: unknown
}

/** A server that lists people, queried over HTTP. */
export interface ListServer {
  readonly get: (path: string, init?: RequestInit) => Promise<ListAnswer>
  readonly reported: readonly Error[]
}

/**
 * Serves `/people` from the entity, filtered by name if `q` is given, and `/repository` from a repository.
 * Invalid input gets the response of the specification's example.
 */
export async function listServer(
  t: TestContext,
  surface: Surface,
  options: DatabaseResourceOptions = {},
): Promise<ListServer> {
  const repository = new Repository(People, surface)
  const { port, reported } = await serve(t, (server) => {
    server.resources({ database: new DatabaseResource(surface, options) })
    server.router.get('/people', (request, response) =>
      answered(response, () => response.database.paginate(People, found(request, repository))),
    )
    server.router.get('/repository', (_request, response) =>
      answered(response, () => response.database.paginate(repository)),
    )
  })
  return {
    reported,
    async get(path, init) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, init)
      const text = await answer.text()
      return {
        status: answer.status,
        type: answer.headers.get('content-type'),
        link: answer.headers.get('link'),
        total: answer.headers.get('x-total-count'),
        body: text === '' ? null : JSON.parse(text),
      }
    },
  }
}

function found({ query }: Request, repository: Repository<PeopleEntity>) {
  const selection = repository.select().order(Orders.Asc, 'name')
  return query['q'] === undefined
    ? selection
    : selection.match('name', Matches.Contains, query['q'])
}

async function answered(response: Response, list: () => Promise<unknown>): Promise<Response> {
  try {
    return response.negotiation.send(await list())
  } catch (error) {
    if (!(error instanceof InvalidArgumentException)) throw error
    return response.status(400).negotiation.send({ error: error.message })
  }
}

/** The rows of a body. */
export function itemsOf({ body }: ListAnswer): readonly Readonly<Record<string, unknown>>[] {
  if (typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body.items)) {
    return body.items
  }
  throw new TypeError(`no list came but ${JSON.stringify(body)}`)
}

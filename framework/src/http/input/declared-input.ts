import type { StandardSchemaProps } from '../../base/schema/standard-schema.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { RouteInput } from './input.ts'
import { readBodyInput, readQueryInput, parseInput } from './read-input.ts'

type Handle = (request: Request, response: Response) => unknown

/** A handler that runs with `request.input` as the schemas of its route parse it. */
export function withInput({ body, query }: RouteInput, handle: Handle): Handle {
  // Read once: some libraries make a new object each time.
  const bodyProps = body?.['~standard'] ?? null
  const queryProps = query?.['~standard'] ?? null
  if (bodyProps === null) return queryProps === null ? handle : withQuery(queryProps, handle)
  return async (request, response) => {
    // The query first: it is there already.
    const given = queryProps === null ? null : await queryOf(queryProps, request)
    const parsed = parseInput(bodyProps, await readBodyInput(request, body), request, 'body')
    const value = parsed instanceof Promise ? await parsed : parsed
    request.input = queryProps === null ? { body: value } : { body: value, query: given }
    return handle(request, response)
  }
}

// Without a promise unless the schema needs one: most handlers with a query are synchronous.
function withQuery(props: StandardSchemaProps, handle: Handle): Handle {
  return (request, response) => {
    const handleWith = (query: unknown): unknown => {
      request.input = { query }
      return handle(request, response)
    }
    const query = queryOf(props, request)
    return query instanceof Promise ? query.then(handleWith) : handleWith(query)
  }
}

function queryOf(props: StandardSchemaProps, request: Request): unknown {
  return parseInput(props, readQueryInput(request, props), request, 'query')
}

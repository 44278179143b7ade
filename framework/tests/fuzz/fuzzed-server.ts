import { Environments } from '../../src/settings/environments.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { Server } from '../../src/http/server/server.ts'

/** A server whose routes read everything of a request. */
export interface FuzzedServer {
  readonly port: number
  /** Errors that were not answered with a status below 500. */
  readonly reported: readonly Error[]
  close(): Promise<void>
}

export async function serveFuzzed(): Promise<FuzzedServer> {
  const throwables = createThrowables()
  const reported: Error[] = []
  throwables.reporters.push((error) => reported.push(error))
  const server = new Server({ environment: Environments.Production, throwables, reporter: null })
  server.configure({ port: 0, drainTimeout: 0 })
  server.router.get('/', (_request, response) => response.text('home'))
  server.router.get('/items/:id<int>', ({ params, query }, response) =>
    response.json({ params, query }),
  )
  server.router.post('/echo', async (request, response) => {
    const type = request.header('content-type') ?? ''
    const body = type.includes('json') ? await request.json() : await request.form()
    return response.json({ type: typeof body, cookies: [...request.cookies.all()] })
  })
  server.router.any('/*rest', ({ path, headers }, response) =>
    response.json({ path, headers: Object.keys(headers).length }),
  )
  const { port } = await server.listen({ signals: false })
  return { port, reported, close: () => server.close() }
}

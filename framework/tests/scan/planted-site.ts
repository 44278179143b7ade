import { DatabaseSync } from 'node:sqlite'
import { SecureHeaders } from '../../src/http/middlewares/secure-headers.ts'
import { Server } from '../../src/http/server/server.ts'
import type { Cleanup } from './cleanup.ts'

/**
 * A vulnerable site, on which a scanner that finds nothing is broken. A name is inserted into SQL and
 * HTML without escaping, and there are no security headers.
 */
export async function servePlantedSite(cleanup: Cleanup): Promise<string> {
  const database = new DatabaseSync(':memory:')
  database.exec(`CREATE TABLE people (name TEXT); INSERT INTO people VALUES ('Ada'), ('Bob')`)
  const server = new Server({ reporter: null }).configure({ port: 0, drainTimeout: 0 })
  server.use(new SecureHeaders({ contentSecurityPolicy: null, contentTypeOptions: null }))
  server.router.get('/forgot', (_request, response) => response.html(page('')))
  server.router.get('/', ({ query }, response) => {
    const { name = 'Ada' } = query
    return response.html(page(`<h1>${name}</h1>${peopleCalled(database, name)}`))
  })
  server.router.post('/', async (request, response) => {
    const { name = '' } = (await request.form()).fields
    return response.html(page(peopleCalled(database, name)))
  })
  const { port } = await server.listen({ signals: false })
  cleanup.after(() => server.close())
  return `http://127.0.0.1:${port}`
}

function page(content: string): string {
  const form = `<form method="post" action="/"><input type="hidden" name="_token" value="x"><input name="name"></form>`
  return `<!doctype html><a href="/?name=Ada">Ada</a>${form}${content}`
}

function peopleCalled(database: DatabaseSync, name: string): string {
  try {
    return JSON.stringify(database.prepare(`SELECT * FROM people WHERE name = '${name}'`).all())
  } catch (error) {
    return `[SQLITE_ERROR] ${String(error)}`
  }
}

import type * as Database from '../../../framework/dist/public/database.js'
import type * as Framework from '../../../framework/dist/public/framework.js'
import type * as Http from '../../../framework/dist/public/http.js'
import type * as Serving from '../../../framework/dist/web/projects/serve-project.js'
import { ready } from '../../sessions/servers/contestant.ts'
import { untracedBuild } from '../untraced-build.ts'
import { route } from '../work.ts'
import { contestant } from './contestant.ts'

// A project, because only a project reads the variables for tracing and logs; without the default
// middlewares, which the peers do not have either.
const { port, parts, folder } = contestant()
const build = parts.has('untraced') ? untracedBuild : '../../../framework/dist'

const { defineProject }: typeof Framework = await import(`${build}/public/framework.js`)
const { connect, sql }: typeof Database = await import(`${build}/public/database.js`)
const { routeSet }: typeof Http = await import(`${build}/public/http.js`)
const { serveProject }: typeof Serving = await import(`${build}/web/projects/serve-project.js`)

const Orders = routeSet<Services>('Orders', (router, { database }) => {
  router.get(route, async ({ params }) => {
    const id = Number(params['id'])
    const rows = await database.rows(sql`SELECT id, item, total FROM orders WHERE id = ${id}`)
    return { ...rows[0] }
  })
})

interface Services {
  readonly database: Awaited<ReturnType<typeof connect>>
}

const project = defineProject({
  name: 'benchmark',
  routes: [Orders],
  middlewares: () => [],
  async services() {
    const database = await connect('sqlite::memory:')
    await database.run(
      sql`CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT NOT NULL, total INTEGER NOT NULL)`,
    )
    await database.run(
      sql`INSERT INTO orders (id, item, total) VALUES (41, 'milk', 320), (42, 'tea', 1250)`,
    )
    return { database }
  },
})

await serveProject({ root: folder, project, environment: 'production', host: '127.0.0.1', port })
ready()

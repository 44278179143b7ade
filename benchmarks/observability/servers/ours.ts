import { ready } from '../../sessions/servers/contestant.ts'
import { useUntracedBuild } from '../untraced-build.ts'
import { bareWork } from '../work.ts'
import { contestant } from './contestant.ts'

// A project, because only a project reads the variables for tracing and logs; without the default
// middlewares, which the peers do not have either.
const { port, parts, folder } = contestant()
if (parts.has('untraced')) useUntracedBuild()

const { defineProject } = await import('../../../framework/dist/public/framework.js')
const { connect, sql } = await import('../../../framework/dist/public/database.js')
const { routeSet } = await import('../../../framework/dist/public/http.js')
const { serveProject } = await import('../../../framework/dist/project/start/serve-project.js')

const Orders = routeSet<Services>('Orders', (router, { database }) => {
  router.get(bareWork.route, async ({ params }) => {
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

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { connect, migrate, seed } from '../../../framework/dist/public/database.js'
import { serveProject } from '../../../framework/dist/web/projects/serve-project.js'
import { copyDemo } from '../../../framework/tests/support/plant-demo.ts'
import { ready } from '../../sessions/servers/contestant.ts'
import { contestant } from './contestant.ts'

// A copy of the demo with storage of its own: two servers never share a folder.
const { port, folder } = contestant()
const root = join(folder, 'demo')
copyDemo(root)

const DATABASE_URL = `sqlite:${join(folder, 'database.sqlite')}`
const database = await connect(DATABASE_URL)
await migrate(database, join(root, 'migrations'))
await seed(database, join(root, 'seeds'), { environment: 'production' })
await database.close()

Object.assign(process.env, {
  DATABASE_URL,
  APP_KEY: randomBytes(32).toString('hex'),
  APP_URL: `http://127.0.0.1:${port}`,
})
await serveProject({ root, environment: 'production', host: '127.0.0.1', port })
ready()

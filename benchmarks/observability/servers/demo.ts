import { randomBytes } from 'node:crypto'
import { cpSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { connect, migrate, seed } from '../../../framework/dist/public/database.js'
import { serveProject } from '../../../framework/dist/web/projects/serve-project.js'
import { ready } from '../../sessions/servers/contestant.ts'
import { contestant } from './contestant.ts'

// A copy of the demo with storage of its own: two servers never share a folder.
const { port, folder } = contestant()
const repository = join(import.meta.dirname, '..', '..', '..')
const root = join(folder, 'demo')
const left: ReadonlySet<string> = new Set(['node_modules', 'storage', 'tests'])
cpSync(join(repository, 'demo'), root, {
  recursive: true,
  filter: (path) => !left.has(basename(path)),
})
symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))

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

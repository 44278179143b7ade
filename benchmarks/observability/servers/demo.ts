import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { copyDemo } from '../../../framework/tests/support/plant-demo.ts'
import { ready } from '../../sessions/servers/contestant.ts'
import { itemsFile } from '../plant-items.ts'
import { useUntracedBuild } from '../untraced-build.ts'
import { contestant } from './contestant.ts'

// A copy of the demo with storage of its own: two servers never share a folder.
const { port, parts, folder } = contestant()
const root = join(folder, 'demo')
copyDemo(root)
if (parts.has('untraced')) useUntracedBuild()

const { serveProject } = await import('../../../framework/dist/project/start/serve-project.js')
Object.assign(process.env, {
  DATABASE_URL: `sqlite:${itemsFile(folder)}`,
  APP_KEY: randomBytes(32).toString('hex'),
  APP_URL: `http://127.0.0.1:${port}`,
})
await serveProject({ root, environment: 'production', host: '127.0.0.1', port })
ready()

import { randomBytes } from 'node:crypto'
import { serveProject } from '../../../../framework/dist/project/start/serve-project.js'
import { contestant, ready } from '../contestant.ts'
import project from './project.ts'

// What `framework serve` does, with settings of the harness.
const { port, database, sessions, redis, tls, folder } = contestant()
const https = tls !== null
Object.assign(process.env, {
  APP_KEY: randomBytes(32).toString('hex'),
  APP_URL: `${https ? 'https' : 'http'}://127.0.0.1:${port}`,
  DATABASE_URL: database,
  REDIS_URL: sessions === 'redis' ? redis : '',
})
await serveProject({
  root: folder,
  project,
  environment: 'production',
  host: '127.0.0.1',
  port,
  https,
})
ready()

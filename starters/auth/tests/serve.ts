import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { projectServer } from 'framework/testing'
import project from '../project.ts'

/** Serves the project on its own seeded in-memory database; tests must not reach real services. */
export function serve() {
  return projectServer(project, {
    root: join(import.meta.dirname, '..'),
    env: {
      APP_URL: 'https://starter.example',
      APP_KEY: randomBytes(32).toString('hex'),
      DATABASE_URL: 'sqlite::memory:',
      REDIS_URL: '',
      MAIL_HOST: '',
      MAIL_QUEUE: '',
    },
    // A request that sends a statement for every row of a list fails its test.
    refuse: 'n+1',
    visitors: { tokenPage: '/login' },
  })
}

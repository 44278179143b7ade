import { defineProject } from 'framework'
import { sql } from 'framework/database'
import { Resources } from 'framework/http'
import { Message } from 'framework/mail'
import { queueWorker } from 'framework/queue'
import { SqlSchedule, task } from 'framework/schedule'
import { accounts } from './accounts.ts'
import { configs } from './configs/manifest.ts'
import { languages } from './languages.ts'
import { manifest } from './routes/manifest.ts'
import { route } from './routes/urls.ts'
import { services } from './services.ts'
import type { Services } from './services.ts'

/** Each due time has one row, if it is run once. */
const tick = task('tick', { cron: '* * * * *' }).run<Services>(({ services: { database }, due }) =>
  database.run(sql`INSERT INTO ticks (due) VALUES (${due.toISOString()})`),
)

export default defineProject({
  name: 'soak',
  configs,
  services,
  accounts,
  routes: manifest,
  urls: route,
  languages,
  resources: ({ database, key }) => ({ database: new Resources.Database(database, { key }) }),
  globals: ({ site }) => ({ site }),
  queues: ({ receipts, database, mailer }) => [
    queueWorker(receipts, async ({ id, payload: { op, to } }) => {
      const text = `Your deposit ${op} has arrived.`
      const mail = new Message({ to, subject: `Deposit ${op}`, text })
      if (!(await mailer.deliver(mail))) throw new Error('the mail was not delivered')
      await database.run(
        sql`INSERT INTO receipts (op, job, at_ms) VALUES (${op}, ${id}, ${Date.now()})`,
      )
    }),
  ],
  schedule: { tasks: [tick], store: ({ database }) => new SqlSchedule(database) },
})

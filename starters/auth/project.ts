import { defineProject } from 'framework'
import { Resources } from 'framework/http'
import { SqlSchedule } from 'framework/schedule'
import { accounts } from './accounts.ts'
import { configs } from './configs/manifest.ts'
import { languages } from './languages.ts'
import { manifest } from './routes/manifest.ts'
import { route } from './routes/urls.ts'
import { member } from './seeds/accounts.ts'
import { services } from './services.ts'

export default defineProject({
  name: 'starter',
  configs,
  services,
  accounts,
  routes: manifest,
  urls: route,
  languages,
  // The cursors of lists are signed.
  resources: ({ database, key }) => ({ database: new Resources.Database(database, { key }) }),
  globals: ({ site }) => ({ site }),
  // Runs in `framework schedule run`, or with SCHEDULE=1 in the server.
  schedule: {
    tasks: [],
    sweep: { cron: '15 4 * * *', catchUp: 'once' },
    store: ({ database }) => new SqlSchedule(database),
  },
  banner: ({ database, site }) => [
    { label: 'database', value: database.label },
    ...(site.environment === 'development'
      ? [{ label: 'account', value: `${member.email} / ${member.password}` }]
      : []),
  ],
})

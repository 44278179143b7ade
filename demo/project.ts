import { defineProject } from 'framework'
import { Resources } from 'framework/http'
import { SqlSchedule } from 'framework/schedule'
import { accounts } from './accounts.ts'
import { configs } from './configs/manifest.ts'
import { demoAccount } from './demo-account.ts'
import { languages } from './languages.ts'
import { manifest } from './routes/manifest.ts'
import { route } from './routes/urls.ts'
import { services } from './services.ts'

export default defineProject({
  name: 'demo',
  configs,
  services,
  accounts,
  routes: manifest,
  urls: route,
  languages,
  // The cursors of lists are signed.
  resources: ({ database, key }) => ({ database: new Resources.Database(database, { key }) }),
  globals: ({ site }) => ({ site }),
  sweeps: ({ errors }) => (errors === null ? {} : { errors }),
  // Runs in `framework schedule run`, or with SCHEDULE=1 in the server.
  schedule: {
    tasks: [],
    sweep: { cron: '15 4 * * *', catchUp: 'once' },
    store: ({ database }) => new SqlSchedule(database),
  },
  banner: ({ database, site }) => {
    const lines = [{ label: 'database', value: database.label }]
    if (site.environment === 'development') {
      const { email, password } = demoAccount
      lines.push({ label: 'account', value: `${email} / ${password}` })
    }
    return lines
  },
})

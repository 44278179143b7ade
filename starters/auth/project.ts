import { defineProject } from 'framework'
import { accounts } from './accounts.ts'
import { configs } from './configs/manifest.ts'
import { manifest } from './routes/manifest.ts'
import { services } from './services.ts'

export default defineProject({
  name: 'starter',
  configs,
  services,
  accounts,
  routes: manifest,
  globals: ({ site }) => ({ site }),
  sweeps: ({ submissions }) => ({ submissions }),
  banner: ({ database }) => [{ label: 'database', value: database.label }],
})

import { defineProject } from 'framework'
import { configs } from './configs/manifest.ts'
import { manifest } from './routes/manifest.ts'
import { services } from './services.ts'

export default defineProject({
  name: 'demo',
  configs,
  services,
  routes: manifest,
  banner: ({ database }) => [{ label: 'database', value: database.label }],
})

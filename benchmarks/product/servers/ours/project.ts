import { defineProject } from '../../../../framework/dist/public/framework.js'
import { Resources } from '../../../../framework/dist/public/http.js'
import { configs } from './configs.ts'
import { manifest } from './routes/manifest.ts'
import { services } from './services.ts'

export default defineProject({
  name: 'shop',
  configs,
  services,
  routes: manifest,
  sessions: ({ sessions }) => sessions,
  resources: ({ database, key }) => ({ database: new Resources.Database(database, { key }) }),
})

import { env, scope } from 'framework'

export default scope('app', {
  title: env.string('APP_TITLE', {
    default: 'Starter',
    meaning: 'name of the site, shown on every page',
  }),
})

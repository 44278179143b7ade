import { env, scope } from 'framework'

export default scope('app', {
  title: env.string('APP_TITLE', {
    default: 'Framework demo',
    meaning: 'name of the site, shown on every page',
  }),
  greeting: env.string('APP_GREETING', {
    default: 'Hello',
    meaning: 'word to greet visitors with',
  }),
})

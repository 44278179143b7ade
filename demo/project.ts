import { defineProject } from 'framework'
import { AccountSupport } from 'framework/auth' // part: auth
import { Resources } from 'framework/http' // part: items
import { queueWorker } from 'framework/queue' // part: auth
import { SqlSchedule } from 'framework/schedule'
import { demoAccount } from './accounts/demo-account.ts' // part: auth
import { errorValues } from './accounts/error-values.ts' // part: auth
import { configs } from './configs/manifest.ts'
import { route } from './routes/urls.ts'
import { manifest } from './routes/manifest.ts'
import { services } from './services.ts'

export default defineProject({
  name: 'demo',
  configs,
  services,
  routes: manifest,
  urls: route,
  // part: items
  // The cursors of lists are signed.
  resources: ({ database, key }) => ({ database: new Resources.Database(database, { key }) }),
  // end: items
  globals: ({ site }) => ({ site }),
  errorValues, // part: auth
  sessions: ({ sessions }) => sessions,
  rateLimits: ({ rateLimits }) => rateLimits,
  // part: auth
  queues: (stores) => [
    queueWorker(stores.mails, stores.accountMails.work),
    queueWorker(stores.exportQueue, stores.exports.work), // part: account-data
  ],
  // end: auth
  sweeps: (stores) => ({
    sessions: stores.sessions,
    submissions: stores.submissions,
    tokens: stores.tokens, // part: auth
    trusts: stores.trust, // part: auth
    activity: stores.activity, // part: activity
    authenticator: stores.authenticator, // part: two-factor
    passkeys: stores.passkeys, // part: passkeys
    mailSignIn: stores.mailSignIn, // part: auth
    apiTokens: stores.apiTokens, // part: api-tokens
    emailChanges: stores.emailChange, // part: email-change
    undos: stores.accountUndo, // part: auth
    // Deletes accounts, and after them their files.
    deletions: stores.deletion, // part: account-data
    exports: stores.exports, // part: account-data
    // Sends what is due: also who was deleted just now is told.
    gatheredMails: stores.accountMails.gathered, // part: auth
    ...(stores.errors !== null && { errors: stores.errors }), // part: auth
  }),
  // Runs in `framework schedule run`, or with SCHEDULE=1 in the server.
  schedule: {
    tasks: [],
    sweep: { cron: '15 4 * * *', catchUp: 'once' },
    store: ({ database }) => new SqlSchedule(database),
  },
  // part: auth
  accounts: (stores) =>
    new AccountSupport({
      users: stores.users,
      credentials: stores.credentials,
      trust: stores.trust,
      sessions: stores.sessions,
      activity: stores.activity, // part: activity
      apiTokens: stores.apiTokens, // part: api-tokens
      passkeys: stores.passkeys, // part: passkeys
      identities: stores.openId?.accounts ?? null, // part: oidc
      factors: [
        stores.authenticator, // part: two-factor
        stores.passkeys, // part: passkeys
      ],
    }),
  // end: auth
  banner: (built) => {
    const lines = [{ label: 'database', value: built.database.label }]
    // part: auth
    if (built.site.environment === 'development') {
      const { email, password } = demoAccount
      lines.push({ label: 'account', value: `${email} / ${password}` })
    }
    // end: auth
    return lines
  },
})

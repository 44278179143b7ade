import { applicationKey } from 'framework'
import { Environments } from 'framework' // part: auth
import type { Boot } from 'framework'
import { openIssuers } from 'framework/auth' // part: oidc
import { MetricsAccess } from 'framework/http'
import { RedisRateLimits, SqlRateLimits } from 'framework/middlewares'
import { Repository } from 'framework/orm' // part: items
import { RedisSessions, Sessions, SqlSessions } from 'framework/sessions'
import { openAccountData } from './accounts/account-data.ts' // part: account-data
import { openAccounts } from './accounts/accounts.ts' // part: auth
import { AccountMails } from './accounts/account-mails.ts' // part: auth
import type { Configs } from './configs/manifest.ts'
import { openDatabase } from './database.ts'
import { Items } from './entities/items.ts' // part: items
import { openErrors } from './errors/open-errors.ts' // part: auth
import { Greeter } from './greeter.ts' // part: tour
import { openMails } from './mails.ts' // part: auth
import { openOpenId } from './accounts/open-id.ts' // part: oidc
import { Pages } from './pages.ts'
import { openRedis } from './redis.ts'

/** Builds what routes use, once per worker. Services with a `close()` method are closed at shutdown. */
export async function services(boot: Boot<Configs>) {
  const { configs, environment } = boot
  const issuers = await openIssuers(configs.oidc, boot) // part: oidc
  const database = await openDatabase(boot)
  const redis = await openRedis(boot)
  const store = redis === null ? new SqlSessions(database) : new RedisSessions(redis)
  // Guests have their session in their cookie, encrypted with the key; accounts have a row.
  const key = applicationKey(configs.key, boot)
  const sessions = new Sessions(store, { ...configs.session, key })
  const rateLimits = redis === null ? new SqlRateLimits(database) : new RedisRateLimits(redis)
  // part: auth
  const previewed = environment === Environments.Development && configs.mail.host === ''
  const mail = await openMails(boot, database)
  const accounts = openAccounts(boot, { database, redis, rateLimits })
  const openId = openOpenId(boot, { database, accounts, issuers }) // part: oidc
  const accountMails = new AccountMails({ database, ...mail }, accounts, boot)
  // end: auth
  const site = {
    title: configs.app.title,
    environment,
    // part: auth
    /** Whether /mails shows the mails, in development. */
    mails: previewed,
    // end: auth
    // part: oidc
    /** Whether people can sign in with accounts of other sites. */
    connects: openId !== null,
    // end: oidc
  }
  const { metricsToken: token, url } = boot.server
  const metrics = new MetricsAccess({ environment, token, url })
  return {
    site,
    clock: boot.clock, // part: auth
    metrics,
    pages: new Pages(
      metrics,
      accounts.visitors, // part: auth
    ),
    greeter: new Greeter(configs.app.greeting), // part: tour
    database,
    redis,
    key, // part: items
    items: new Repository(Items, database), // part: items
    sessions,
    submissions: store.submissions(),
    rateLimits,
    // part: auth
    ...accounts,
    openId, // part: oidc
    ...mail,
    accountMails,
    // part: account-data
    ...openAccountData(boot, {
      database,
      jobs: mail.jobs,
      sessions,
      accounts,
      accountMails,
      openId, // part: oidc
    }),
    // end: account-data
    errors: openErrors(boot, { database, mailer: mail.mailer }),
    /** Who may open /errors. */
    errorAccounts: configs.errors.accounts,
    // end: auth
  }
}

export type Services = Awaited<ReturnType<typeof services>>

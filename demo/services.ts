import { Environments } from 'framework'
import type { Boot } from 'framework'
import { MetricsAccess } from 'framework/http'
import type { Request } from 'framework/http'
import { errorInboxFrom } from 'framework/errors'
import { Repository } from 'framework/orm'
import { openStores } from 'framework/stores'
import { accounts } from './accounts.ts'
import type { Configs } from './configs/manifest.ts'
import { Items } from './entities/items.ts'
import { Greeter } from './greeter.ts'

/** Builds what routes use, once per worker. Services with a `close()` method are closed at shutdown. */
export async function services(boot: Boot<Configs>) {
  const { configs, environment } = boot
  const stores = await openStores(boot)
  const { database, mailer } = stores
  const tell = { ...configs.errors, mailer }
  const { metricsToken: token, url } = boot.server
  const metrics = new MetricsAccess({ environment, token, url })
  const site = {
    title: configs.app.title,
    environment,
    /** What the page of an unknown address offers. */
    search: { action: '/items', name: 'q' },
    /** Whether /mails shows the mails, in development. */
    mails: environment === Environments.Development && configs.mail.host === '',
    /** Whether there is an error inbox, with the page of the queues. */
    errors: configs.errors.accounts.length > 0,
  }
  // What the layout shows to this visitor.
  const layoutValues = (request: Request) => ({ metrics: metrics.allows(request) })
  return {
    ...stores,
    site,
    accounts: await accounts.open(boot, { ...stores, site, layoutValues }),
    metrics,
    greeter: new Greeter(configs.app.greeting),
    items: new Repository(Items, stores.database),
    /** Null while ERRORS_ACCOUNTS names nobody who may see it. */
    errors: configs.errors.accounts.length === 0 ? null : errorInboxFrom(boot, { database, tell }),
    /** Who may open /errors. */
    errorAccounts: configs.errors.accounts,
  }
}

export type Services = Awaited<ReturnType<typeof services>>

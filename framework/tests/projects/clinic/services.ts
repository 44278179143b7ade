import { Environments } from 'framework'
import type { Boot } from 'framework'
import { Repository } from 'framework/orm'
import { diskFrom } from 'framework/storage'
import { openStores } from 'framework/stores'
import { accounts } from './accounts.ts'
import type { Configs } from './configs/manifest.ts'
import { Bookings } from './entities/bookings.ts'

/** Builds what routes use, once per worker. Services with a `close()` method are closed at shutdown. */
export async function services(boot: Boot<Configs>) {
  const { configs, environment } = boot
  const stores = await openStores(boot)
  const site = {
    title: configs.app.title,
    environment,
    /** Whether /mails shows the mails. */
    mails: environment === Environments.Development && configs.mail.host === '',
  }
  // Letters, and copies of the data of accounts.
  const files = await diskFrom(configs.storage, boot, stores.key)
  return {
    ...stores,
    site,
    files,
    bookings: new Repository(Bookings, stores.database),
    accounts: await accounts.open(boot, { ...stores, site, files }),
  }
}

export type Services = Awaited<ReturnType<typeof services>>

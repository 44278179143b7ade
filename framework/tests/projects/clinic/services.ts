import type { Boot } from 'framework'
import { Repository } from 'framework/orm'
import { openStores } from 'framework/stores'
import { accounts } from './accounts.ts'
import type { Configs } from './configs/manifest.ts'
import { Bookings } from './entities/bookings.ts'

/** Builds what routes use, once per worker. Services with a `close()` method are closed at shutdown. */
export async function services(boot: Boot<Configs>) {
  const stores = await openStores(boot)
  const site = { title: boot.configs.app.title, environment: boot.environment }
  return {
    ...stores,
    site,
    bookings: new Repository(Bookings, stores.database),
    accounts: await accounts.open(boot, { ...stores, site }),
  }
}

export type Services = Awaited<ReturnType<typeof services>>

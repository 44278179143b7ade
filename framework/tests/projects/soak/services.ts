import { Environments } from 'framework'
import type { Boot } from 'framework'
import { Queue } from 'framework/queue'
import { diskFrom } from 'framework/storage'
import { openStores } from 'framework/stores'
import { accounts } from './accounts.ts'
import type { Configs } from './configs/manifest.ts'

/** A deposit that gets a receipt by mail. */
export interface Receipt {
  readonly op: string
  readonly to: string
}

export async function services(boot: Boot<Configs>) {
  const { configs, environment } = boot
  const stores = await openStores(boot)
  const site = {
    title: configs.app.title,
    environment,
    mails: environment === Environments.Development && configs.mail.host === '',
  }
  const files = await diskFrom(configs.storage, boot, stores.key)
  const options = { ...configs.queue, encrypter: stores.key.encrypter('queue') }
  return {
    ...stores,
    site,
    files,
    receipts: new Queue<Receipt>('receipts', stores.jobs, options),
    accounts: await accounts.open(boot, { ...stores, site, files }),
  }
}

export type Services = Awaited<ReturnType<typeof services>>

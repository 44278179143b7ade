import { Environments } from 'framework'
import type { Boot } from 'framework'
import { errorInboxFrom } from 'framework/errors'
import { Queue } from 'framework/queue'
import { openStores } from 'framework/stores'
import { accounts } from './accounts.ts'
import type { Configs } from './configs/manifest.ts'
import { planted } from './fault.ts'
import { Catalogue } from './services/catalogue.ts'
import { LoanDesk } from './services/loans.ts'
import { Reminders } from './services/reminders.ts'
import type { Reminder } from './services/reminders.ts'

/** Builds what routes use, once per worker. Services with a `close()` method are closed at shutdown. */
export async function services(boot: Boot<Configs>) {
  const { configs, environment } = boot
  const stores = await openStores(boot)
  const { database, key, mailer, jobs } = stores
  const site = {
    title: configs.app.title,
    environment,
    mails: environment === Environments.Development && configs.mail.host === '',
  }
  if (planted('start')) readTimetable('monday 9:00')
  const queue = new Queue<Reminder>('reminders', jobs, {
    ...configs.queue,
    encrypter: key.encrypter('queue'),
  })
  return {
    ...stores,
    site,
    accounts: await accounts.open(boot, { ...stores, site }),
    errors: errorInboxFrom(boot, { database }),
    catalogue: new Catalogue(database),
    loans: new LoanDesk(database),
    queue,
    reminders: new Reminders(mailer, queue),
  }
}

function readTimetable(text: string): unknown {
  return JSON.parse(text) // planted: start
}

export type Services = Awaited<ReturnType<typeof services>>

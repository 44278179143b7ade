import type { Boot } from 'framework'
import { Repository } from 'framework/orm'
import type { Configs } from './configs/manifest.ts'
import { openDatabase } from './database.ts'
import { Items } from './entities/items.ts'
import { Greeter } from './greeter.ts'

/** Builds what routes use, once in each worker. What has a `close()` method is closed at the end. */
export async function services(boot: Boot<Configs>) {
  const { configs, environment } = boot
  const database = await openDatabase(boot)
  return {
    site: { title: configs.app.title, environment },
    greeter: new Greeter(configs.app.greeting),
    database,
    items: new Repository(Items, database),
  }
}

export type Services = Awaited<ReturnType<typeof services>>

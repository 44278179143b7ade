import type { Boot } from 'framework'
import type { Configs } from './configs/manifest.ts'
import { Greeter } from './greeter.ts'

/** Builds what routes use, once in each worker. What has a `close()` method is closed at the end. */
export function services({ configs, environment }: Boot<Configs>) {
  return {
    site: { title: configs.app.title, environment },
    greeter: new Greeter(configs.app.greeting),
  }
}

export type Services = Awaited<ReturnType<typeof services>>

// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { applicationKey, defineProject, keyScope } from '../../src/public/framework.ts'
import { MemoryJobs, Queue, runQueue, queueScope, queueWorker } from '../../src/public/queue.ts'

interface Picture {
  readonly picture: number
}

const store = new MemoryJobs()

// Values of the scopes can be used as options.
defineProject({
  name: 'shop',
  configs: { key: keyScope, queue: queueScope },
  services: ({ configs, root, environment }) => {
    const encrypter = applicationKey(configs.key, { root, environment }).encrypter('queue')
    return { pictures: new Queue<Picture>('pictures', store, { ...configs.queue, encrypter }) }
  },
  routes: [],
  queues: ({ pictures }) => [
    queueWorker(pictures, ({ payload }) => payload.picture.toFixed()),
    // @ts-expect-error the payload has no such field
    queueWorker(pictures, ({ payload }) => payload.song),
  ],
})

// @ts-expect-error nothing is stored unencrypted
void new Queue('open', store, {})

export async function use(pictures: Queue<Picture>): Promise<void> {
  await pictures.push({ picture: 7 }, { delay: 5, key: 'picture:7' })
  // @ts-expect-error another payload
  await pictures.push({ song: 7 })
  await runQueue(pictures, async ({ payload, signal }) => {
    const { picture }: { readonly picture: number } = payload
    await fetch(String(picture), { signal })
  })
}

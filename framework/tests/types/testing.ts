// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { defineProject } from '../../src/public/framework.ts'
import { Repository, entity, key, text } from '../../src/public/orm.ts'
import type { Database } from '../../src/public/database.ts'
import { event } from '../../src/public/events.ts'
import { factory, projectServer } from '../../src/public/testing.ts'

declare const database: Database

const project = defineProject({
  name: 'shop',
  services: () => ({ word: 'x', count: 1 }),
  routes: [],
})

// The services have the types of the project.
const app = await projectServer(project)
app.services.word.toUpperCase()
// @ts-expect-error there is no such service
app.services.mailer.deliver()

await projectServer(project, { services: { word: 'y' } })
await projectServer(project, { services: ({ count }) => ({ count: count + 1 }) })
// @ts-expect-error the service is of another type
await projectServer(project, { services: { word: 1 } })

// Tasks tell what became of them, a travel how to come back.
const [ran] = await app.schedule.work()
ran?.due.toISOString()
app.travel(60)()
await projectServer(project, { visitors: { tokenPage: '/login' } })
// @ts-expect-error a clock moves by seconds
app.travel('1 h')
// @ts-expect-error whoever acts has an id
await app.actingAs({ email: 'ada@example.com' })

// A folder says nothing about its services, unless the test does.
const folder = await projectServer<{ word: string }>('.')
folder.services.word.toUpperCase()

// Events are recorded with the types of their payload.
const Ordered = event<[id: number]>('shop.ordered')
const orders = app.events.record(Ordered)
orders[0]?.[0].toFixed()
// @ts-expect-error it is a number
orders[0]?.[0].toUpperCase()

const Notes = entity('notes', { id: key.integer(), title: text() })
const notes = factory(new Repository(Notes, database), (n) => ({ title: `note ${n}` }))
;(await notes.create(2))[0]?.title.toUpperCase()
// @ts-expect-error a note has no such column
await notes.one({ name: 'x' })
// @ts-expect-error a note needs a title
factory(new Repository(Notes, database), () => ({ id: 1 }))

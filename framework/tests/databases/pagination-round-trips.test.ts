import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Modes, Pagination } from '../../src/orm/pagination/pagination.ts'
import { startDelayProxy } from '../support/delay-proxy.ts'
import { onDatabase, servers } from '../support/test-databases.ts'
import { openLibrary } from './library.ts'

const pages = 10

for (const name of ['postgres', 'mariadb'] as const) {
  onDatabase(name, (_name, _open, create) => {
    test('a page with its COUNT takes one round trip, and so does one by cursor', async (t) => {
      const near = await create()
      const proxy = await startDelayProxy(servers[name]?.port ?? 0, 5)
      t.after(() => proxy.close())
      const far = new URL(near)
      far.port = String(proxy.port)
      const library = await openLibrary(() => Promise.resolve(far.href))
      t.after(() => library.database.close())

      const trips = async (read: () => Promise<unknown>): Promise<number> => {
        await read()
        proxy.reset()
        for (let page = 0; page < pages; page += 1) await read()
        return proxy.roundTrips() / pages
      }
      const { books } = library
      const paged = await trips(() => books.page(null, new Pagination({ limit: 3, page: 2 })))
      const walked = await trips(() =>
        books.page(null, new Pagination({ mode: Modes.Cursor, limit: 3 })),
      )
      t.diagnostic(`${name}: ${paged} round trips a page with COUNT, ${walked} by cursor`)
      assert.ok(paged <= 1.2, `${paged} round trips a page`)
      assert.ok(walked <= 1.2, `${walked} round trips a cursor page`)
    })
  })
}

import { requireIdentity } from 'framework/auth'
import { sql } from 'framework/database'
import { routeSet } from 'framework/http'
import { SqlJobs } from 'framework/queue'
import { file, withFiles } from 'framework/uploads'
import * as v from 'valibot'
import { countDeposit, openFiles, remembered, strikes } from '../bugs.ts'
import type { Services } from '../services.ts'

const op = v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/))
const Deposit = v.object({ op })
const Picture = withFiles(v.object({ op }), {
  picture: file({ max: '2 MB', types: ['image/png'] }),
})

export const Ledger = routeSet<Services>('Ledger', (router, services) => {
  const { accounts, database, files, receipts } = services
  const { signedIn, users } = accounts

  router.post(
    '/deposits',
    async (request, response) => {
      const deposit = request.input.body
      const { id } = requireIdentity(request)
      const to = (await users.find(id))?.email ?? ''
      const work = database.transaction(async (transaction) => {
        await transaction.run(
          sql`INSERT INTO deposits (op, user_id) VALUES (${deposit.op}, ${Number(id)})`,
        )
        const jobs = receipts.through(new SqlJobs(transaction))
        await jobs.push({ op: deposit.op, to })
        if (strikes('doubled-job', 10)) await jobs.push({ op: deposit.op, to })
        if (strikes('lost-commit', 10)) throw new Error('planted')
      })
      await (strikes('lost-commit') ? work.catch(() => {}) : work)
      countDeposit()
      return response.redirect('/ledger')
    },
    { body: Deposit, middlewares: [signedIn] },
  )

  // A guest gets null and not a way to sign in.
  router.get(
    '/ledger',
    async (request, response) => {
      openFiles()
      const id = remembered(String(request.headers['cookie']), request.identity?.id ?? null)
      if (id === null) return response.json({ email: null, ops: [] })
      const user = await users.find(id)
      const rows = await database.rows(sql`SELECT op FROM deposits WHERE user_id = ${Number(id)}`)
      return response.json({ email: user?.email ?? null, ops: rows.map((row) => row['op']) })
    },
    { middlewares: [signedIn.optional] },
  )

  router.post(
    '/pictures',
    async (request, response) => {
      const { op: name, picture } = request.input.body
      await files.put(`pictures/${name}.png`, picture.stream())
      return response.redirect('/ledger')
    },
    { body: Picture, middlewares: [signedIn] },
  )

  router.get(
    '/pictures/:name<[a-z0-9-]+>',
    ({ params }, response) => response.stored(files, `pictures/${params.name}.png`),
    { middlewares: [signedIn] },
  )
})

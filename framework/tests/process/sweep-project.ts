/** A project with expired links, devices and sessions, and a few valid ones. */
export const sweepProject: Readonly<Record<string, string>> = {
  'migrations/20260101000000_create_tables.ts': `
    import type { Schema } from 'framework/database'
    import { createSessionsTable } from 'framework/sessions'
    import { createTokensTable, createTrustsTable } from 'framework/auth'
    export async function up(schema: Schema) {
      await createTokensTable(schema)
      await createTrustsTable(schema)
      await createSessionsTable(schema)
    }`,
  'seeds/rows.ts': `
    import { SqlSessions } from 'framework/sessions'
    import { Purposes, Tokens, Trust } from 'framework/auth'
    const live = { random: () => 1 }
    const old = { ...live, clock: () => 1_000 }
    export async function seed(database) {
      await database.transaction(async (transaction) => {
        for (let user = 1; user <= Number(process.env.EXPIRED ?? 3); user += 1) {
          await new Tokens(transaction, old).mint(String(user), Purposes.Recovery)
          await new Trust(transaction, old).issue(String(user))
          const times = { created: 1, used: 1, expires: 1_000 + user }
          const row = { data: '{}', identity: null, device: null, agent: '', peer: '', ...times }
          await new SqlSessions(transaction).create(String(user).padStart(64, '0'), row)
        }
        await new Tokens(transaction, live).mint('7', Purposes.Verification)
        await new Trust(transaction, live).issue('7')
      })
    }`,
  'project.ts': `
    import { appendFileSync } from 'node:fs'
    import { databaseScope, databaseUrlIn, defineProject } from 'framework'
    import { connect } from 'framework/database'
    import { routeSet } from 'framework/http'
    import { SqlSessions, Sessions } from 'framework/sessions'
    import { Tokens, Trust } from 'framework/auth'

    const Visits = routeSet('Visits', (router) => {
      router.get('/visit', ({ session }) => {
        session.set('name', 'Ada')
        return 'noted'
      })
      router.get('/who', async ({ session }) => String(await session.get('name')))
    })

    export default defineProject({
      name: 'shop',
      configs: { database: databaseScope },
      async services({ configs, root }) {
        const database = await connect(databaseUrlIn(root, configs.database.url))
        const closing = { close: () => appendFileSync(root + '/closed', 'closed\\n') }
        return {
          database,
          closing,
          tokens: new Tokens(database),
          trust: new Trust(database),
          sessions: new Sessions(new SqlSessions(database)),
          folder: {
            sweep() {
              if (process.env.FOLDER !== 'broken') return 5
              throw new TypeError('cannot read https://ada:hunter2@files/\\x1b[31m')
            },
          },
        }
      },
      routes: [Visits],
      sessions: ({ sessions }) => sessions,
      sweeps: ({ folder, tokens, trust, sessions }) => ({ folder, tokens, trust, sessions }),
    })`,
}

import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Credentials } from '../../src/accounts/changes/credentials.ts'
import { Password } from '../../src/accounts/passwords/password.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { Tokens } from '../../src/accounts/tokens/tokens.ts'
import { Trust } from '../../src/accounts/devices/trust.ts'
import { Users } from '../../src/accounts/users.ts'
import { connect } from '../../src/database/connect.ts'
import { connectRedis } from '../../src/redis/connect-redis.ts'
import { Authenticating } from '../../src/accounts/guards/authenticating.ts'
import { Authentication } from '../../src/accounts/guards/authentication.ts'
import { Remember } from '../../src/accounts/devices/remember.ts'
import { SessionGuard } from '../../src/accounts/guards/session-guard.ts'
import { SignIn } from '../../src/accounts/sign-in/sign-in.ts'
import { Forms } from '../../src/http/middlewares/forms.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import type { Server } from '../../src/http/server/server.ts'
import { RedisSessions } from '../../src/http/session/redis-sessions.ts'
import { SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { waitFor } from '../support/wait-for.ts'

/** The options of the script, as JSON. */
export interface AuthWorkersOptions {
  readonly database: string
  /** The session store. @default the database */
  readonly redis?: string
  readonly workers: number
  /** The session key of the account. @default that of the framework */
  readonly key?: string
  /** The key that the sessions follow. */
  readonly identityKey?: string
  /**
   * A folder where tabs meet: each writes a file when it arrives, and the winner waits
   * for six. The others are redirected once `answered` exists too.
   */
  readonly meeting?: string
}

/** A small site with accounts; every response names its worker. */
export async function declareSite(server: Server, given: AuthWorkersOptions): Promise<void> {
  const database = await connect(given.database)
  const elsewhere =
    given.redis === undefined ? null : new RedisSessions(await connectRedis(given.redis))
  const { identityKey } = given
  const sessions = new Sessions(
    elsewhere ?? new SqlSessions(database),
    identityKey === undefined ? {} : { identityKey },
  )
  const password = new Password()
  const users = new Users(database, password)
  const tokens = new Tokens(database)
  const trust = new Trust(database)
  const credentials = new Credentials(database, password, {
    sessions: (surface) => elsewhere ?? new SqlSessions(surface),
  })
  const { key = 'identity' } = given
  const options = { key, load: (id: string) => users.find(id) }
  const remember = new Remember(trust, { grace: 300, ...options })
  const signIn = new SignIn({ users, trust, remember })
  const visitors = new Authenticating(new SessionGuard(options), remember)
  const guard = new Authentication(visitors, {
    fallback: async ({ query }, response) => {
      if (query['tab'] !== undefined) {
        await waitFor('the answer of the winner', () => existsSync(join(meeting, 'answered')))
      }
      return response.redirect('/login')
    },
  })
  const { meeting = '' } = given
  const guarded = { middlewares: [guard] }
  const { router } = server
  server.use(sessions, new Forms(), ({ query }, response, next) => {
    if (meeting !== '' && query['tab'] !== undefined) writeFileSync(join(meeting, query['tab']), '')
    response.header('X-Pid', String(process.pid))
    return next()
  })
  router.get('/', async (request, response) => {
    const isKnown = await visitors.authenticate(request, response)
    // So that the losers of the race ask before the winner has responded.
    if (request.query['tab'] !== undefined) await sleep(300)
    return response.html(`<h1>${isKnown ? request.identity?.email : 'Guest'}</h1>`)
  })
  router.get('/who', async (request, response) => {
    await visitors.authenticate(request, response)
    return response.json(request.identity?.email ?? null)
  })
  router.get('/busy', async (request, response) => {
    await visitors.authenticate(request, response)
    return response.html(`<h1>Busy</h1><script>
      const asked = Array.from({ length: 8 }, () => fetch('/who').then((answer) => answer.json()))
      Promise.all(asked).then((names) => { document.title = names.join() })
    </script>`)
  })
  router.get('/login', async (request, response) => {
    if (await visitors.authenticate(request, response)) return response.redirect('/account')
    return response.html('<h1>Sign in</h1>')
  })
  router.post('/login', async (request, response) => {
    // Reads the session before anything else, as the CSRF middleware does.
    await request.session.get('identity')
    const { email = '', password: typed = '' } = request.fields
    const identity = await users.verify(email, typed)
    if (identity === null) return response.redirect('/login')
    await signIn.enter(request, response, identity, { remember: true })
    return response.redirect('/account')
  })
  router.get(
    '/account',
    async ({ identity, query }, response) => {
      // The losers of the race have arrived before the winner's cookies can exist.
      if (query['tab'] !== undefined) {
        await waitFor('six tabs', () => readdirSync(meeting).length >= 6)
      }
      return response.html(`<h1>Account of ${identity?.email}</h1>`)
    },
    guarded,
  )
  router.post(
    '/password',
    async ({ session, identity, fields }, response) => {
      const { password: next = '' } = fields
      const isChanged = await credentials.change(identity?.id ?? '', next, { keep: session.digest })
      session.regenerate()
      return response.json(isChanged)
    },
    guarded,
  )
  router.post('/forgot', async ({ fields }) => {
    const identity = await users.fetch(fields['email'] ?? '')
    return identity === null ? null : (await tokens.mint(identity.id, Purposes.Recovery)).value
  })
  router.post('/reset', async ({ fields }, response) => {
    const { token = '', password: next = '' } = fields
    return response.json(await credentials.reset(token, next))
  })
}

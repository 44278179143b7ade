import {
  ApiTokens,
  Authenticating,
  Authentication,
  Bearer,
  Credentials,
  Password,
  Remember,
  rememberPolicy,
  SessionGuard,
  SignIn,
  Trust,
  Users,
} from '../../../../framework/dist/public/auth.js'
import { connect } from '../../../../framework/dist/public/database.js'
import {
  applicationKey,
  databaseUrlIn,
  type Boot,
} from '../../../../framework/dist/public/framework.js'
import { Repository } from '../../../../framework/dist/public/orm.js'
import { connectRedis } from '../../../../framework/dist/public/redis.js'
import { RedisSessions, Sessions, SqlSessions } from '../../../../framework/dist/public/sessions.js'
import type { Configs } from './configs.ts'
import { Items, Notes } from './entities.ts'

export async function services(boot: Boot<Configs>) {
  const { configs, root } = boot
  const { rememberName: name, rememberTtl: lifetime, rememberMax: maxAge } = configs.auth
  Remember.policy = rememberPolicy({ name, prefix: configs.session.prefix, lifetime })
  const database = await connect(databaseUrlIn(root, configs.database.url))
  const redis = configs.redis.url === '' ? null : await connectRedis(configs.redis.url)
  const key = applicationKey(configs.key, boot)
  const store = redis === null ? new SqlSessions(database) : new RedisSessions(redis)
  const sessions = new Sessions(store, { ...configs.session, key })

  const password = new Password()
  const onFailure = 'throw'
  const users = new Users(database, password, { onFailure, fields: { name: 'text' } })
  const load = (id: string) => users.find(id)
  const trust = new Trust(database, { maxAge, onFailure })
  const remember = new Remember(trust, { grace: configs.auth.rememberGrace, load })
  const guard = new Authenticating(new SessionGuard({ load }), remember)
  const credentials = new Credentials(database, password, {
    sessions: (surface) => new SqlSessions(surface),
  })
  const scopes = ['items:read', 'notes:write', 'files:write'] as const
  const tokens = new ApiTokens(database, { scopes, credentials, onFailure })
  const bearer = new Bearer(tokens, { load, limit: null })
  return {
    database,
    redis,
    key,
    sessions,
    users,
    items: new Repository(Items, database),
    notes: new Repository(Notes, database),
    signIn: new SignIn({ users, trust, remember }),
    signedIn: new Authentication(guard, {
      fallback: (_request, response) => response.redirect('/login'),
    }),
    bearer,
    programs: new Authentication(bearer),
  }
}

export type Services = Awaited<ReturnType<typeof services>>

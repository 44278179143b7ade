import type { Boot } from 'framework'
import type { Redis } from 'framework/cache'
import type { Database } from 'framework/database'
import {
  Authenticating,
  Authentication,
  RedisSessions,
  Remember,
  SessionGuard,
  SignIn,
  SqlSessions,
} from 'framework/middlewares'
import type { Sessions } from 'framework/middlewares'
import { AuthAudit, Credentials, Password, Tokens, Trust, Users } from 'framework/security'
import type { Identity } from 'framework/security'
import type { Configs } from '../configs/manifest.ts'

/** What accounts are built on. */
export interface AccountsParts {
  readonly database: Database
  readonly redis: Redis | null
  readonly sessions: Sessions
}

/** Everything that knows who somebody is: stores of accounts, links and devices, and the guards. */
export function openAccounts(boot: Boot<Configs>, { database, redis, sessions }: AccountsParts) {
  const { rememberName, rememberTtl, rememberGrace } = boot.configs.auth
  Remember.policy = { ...Remember.policy, name: rememberName, lifetime: rememberTtl }
  const password = new Password()
  const users = new Users(database, password)
  const trust = new Trust(database)
  // An account that is gone is signed out, and what routes see of the others is never old.
  const load = (id: string): Promise<Identity | null> => users.find(id)
  const visitors = new SessionGuard({ load })
  const remember = new Remember(trust, { grace: rememberGrace, sessions, load })
  return {
    users,
    tokens: new Tokens(database),
    trust,
    credentials: new Credentials(database, password, {
      sessions: (surface) => (redis === null ? new SqlSessions(surface) : new RedisSessions(redis)),
    }),
    remember,
    visitors,
    signIn: new SignIn({ users, trust, remember }),
    /** For routes that need somebody who is signed in. */
    signedIn: new Authentication(new Authenticating(visitors, remember), {
      fallback: (_request, response) => response.redirect('/login'),
    }),
    audit: new AuthAudit({ logs: boot.logs }),
  }
}

export type Accounts = ReturnType<typeof openAccounts>

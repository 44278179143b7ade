import app from './app/app.config.ts'
import auth from './auth/auth.config.ts' // part: auth
import data from './data/data.config.ts' // part: account-data
import database from './database/database.config.ts'
import errors from './errors/errors.config.ts' // part: auth
import key from './key/key.config.ts'
import mail from './mail/mail.config.ts' // part: auth
import oidc from './oidc/oidc.config.ts' // part: oidc
import queue from './queue/queue.config.ts' // part: auth
import redis from './redis/redis.config.ts'
import session from './session/session.config.ts'

/** Every configuration scope of the project, by the name its values have in code. */
export const configs = {
  app,
  auth, // part: auth
  data, // part: account-data
  database,
  errors, // part: auth
  key,
  mail, // part: auth
  oidc, // part: oidc
  queue, // part: auth
  redis,
  session,
}

export type Configs = typeof configs

import app from './app/app.config.ts'
import auth from './auth/auth.config.ts'
import data from './data/data.config.ts'
import database from './database/database.config.ts'
import errors from './errors/errors.config.ts'
import key from './key/key.config.ts'
import mail from './mail/mail.config.ts'
import oidc from './oidc/oidc.config.ts'
import queue from './queue/queue.config.ts'
import redis from './redis/redis.config.ts'
import session from './session/session.config.ts'

/** Every configuration scope of the project, by the name its values have in code. */
export const configs = {
  app,
  auth,
  data,
  database,
  errors,
  key,
  mail,
  oidc,
  queue,
  redis,
  session,
}

export type Configs = typeof configs

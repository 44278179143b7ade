import { authScope } from '../../../../framework/dist/public/auth.js'
import { databaseScope, keyScope } from '../../../../framework/dist/public/framework.js'
import { redisScope } from '../../../../framework/dist/public/redis.js'
import { sessionScope } from '../../../../framework/dist/public/sessions.js'

export const configs = {
  database: databaseScope,
  key: keyScope,
  session: sessionScope,
  redis: redisScope,
  auth: authScope,
}

export type Configs = typeof configs

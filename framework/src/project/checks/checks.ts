import { checkAppUrl } from './check-app-url.ts'
import { checkApplicationKey } from './check-application-key.ts'
import { checkClock } from './check-clock.ts'
import { checkCookies } from './check-cookies.ts'
import { checkDatabase } from './check-database.ts'
import { checkEnvironment } from './check-environment.ts'
import { checkMail } from './check-mail.ts'
import { checkMetrics } from './check-metrics.ts'
import { checkMigrations } from './check-migrations.ts'
import { checkProxies } from './check-proxies.ts'
import { checkPublicFiles } from './check-public-files.ts'
import { checkRedis } from './check-redis.ts'
import { checkSecretFiles } from './check-secret-files.ts'
import { checkSessions } from './check-sessions.ts'
import { checkVariables } from './check-variables.ts'
import { checkVerification } from './check-verification.ts'
import { checkWritableFolders } from './check-writable-folders.ts'
import type { Check } from './check-context.ts'

/** The checks of the framework by name; projects add their own. */
export const checks: Readonly<Record<string, Check>> = {
  'app-url': checkAppUrl,
  key: checkApplicationKey,
  'secret-files': checkSecretFiles,
  database: checkDatabase,
  redis: checkRedis,
  mail: checkMail,
  environment: checkEnvironment,
  variables: checkVariables,
  proxies: checkProxies,
  metrics: checkMetrics,
  cookies: checkCookies,
  verification: checkVerification,
  sessions: checkSessions,
  'public-files': checkPublicFiles,
  folders: checkWritableFolders,
  clock: checkClock,
  migrations: checkMigrations,
}

import type { TestContext } from 'node:test'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { RedisSessions } from '../../src/http/session/redis-sessions.ts'
import { onDatabase } from '../support/test-databases.ts'
import type { OpenDatabase } from '../support/test-databases.ts'
import { onRedis } from '../support/test-redis.ts'
import { testCredentials } from './credentials-contract.ts'
import { createTables, CredentialsOffice } from './credentials-office.ts'
import { testCredentialsRaces } from './credentials-races.ts'

onRedis((openRedis) => {
  // One that has a single writer, and one whose transactions run at once.
  for (const dialect of [Dialects.SQLite, Dialects.Postgres]) onDatabase(dialect, withOffice)

  function withOffice(_: Dialects, open: OpenDatabase): void {
    const openOffice = async (t: TestContext): Promise<CredentialsOffice> => {
      const database = await open(t, 'pool=8')
      await createTables(database)
      const store = new RedisSessions(await openRedis(t))
      return new CredentialsOffice(database, () => store, store)
    }
    testCredentials(openOffice)
    testCredentialsRaces(openOffice)
  }
})

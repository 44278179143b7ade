import type { TestContext } from 'node:test'
import type { Surface } from '../../src/database/surface.ts'
import { SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { testCredentials } from './credentials-contract.ts'
import { createTables, CredentialsOffice } from './credentials-office.ts'
import { testCredentialsRaces } from './credentials-races.ts'

onEveryDatabase((_, open) => {
  const openOffice = async (t: TestContext): Promise<CredentialsOffice> => {
    const database = await open(t, 'pool=8')
    await createTables(database)
    const sessions = (surface: Surface): SqlSessions => new SqlSessions(surface)
    return new CredentialsOffice(database, sessions, new SqlSessions(database))
  }
  testCredentials(openOffice)
  testCredentialsRaces(openOffice)
})

import type { Credentials } from '../../src/accounts/changes/credentials.ts'
import type { Database } from '../../src/database/surface.ts'

/** Changes of accounts that no table holds, for tests of something else. */
export function anyAccount(database: Database): Pick<Credentials, 'hold'> {
  return {
    hold: (id, _options, work) =>
      database.transaction((transaction) =>
        work(transaction, { id, email: `${id}@example.org`, verified: true }, async () => {}),
      ),
  }
}

import { Environments } from 'framework'
import { Password, Users } from 'framework/auth'
import type { Surface } from 'framework/database'
import { demoAccount } from '../demo-account.ts'

/** Where the seed runs: the password of the account is public. */
export const environments = [Environments.Development, Environments.Test] as const

/** Creates the account to try things with. */
export async function seed(database: Surface): Promise<void> {
  const users = new Users(database, new Password())
  if ((await users.fetch(demoAccount.email)) !== null) return
  const user = await users.enroll(demoAccount.email, demoAccount.password)
  if (user !== null) await users.confirm(user)
}

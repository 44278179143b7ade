import { Environments } from 'framework'
import { Password, Users } from 'framework/auth'
import type { SeedContext, Surface } from 'framework/database'
import { demoAccount } from '../accounts/demo-account.ts'

const seededEnvironments: ReadonlySet<string> = new Set([
  Environments.Development,
  Environments.Test,
])

/** Creates the account to try things with, in development and test only: its password is public. */
export async function seed(database: Surface, { environment }: SeedContext): Promise<void> {
  if (!seededEnvironments.has(environment)) return
  const users = new Users(database, new Password())
  if ((await users.fetch(demoAccount.email)) !== null) return
  const user = await users.enroll(demoAccount.email, demoAccount.password)
  if (user !== null) await users.confirm(user)
}

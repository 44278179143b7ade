import { Environments } from 'framework'
import { Password, Users } from 'framework/auth'
import type { SeedContext, Surface } from 'framework/database'
import { demoAccount } from '../accounts/demo-account.ts'

const places: ReadonlySet<string> = new Set([Environments.Development, Environments.Test])

/** An account to sign in with while people work on the project: everybody knows its password. */
export async function seed(database: Surface, { environment }: SeedContext): Promise<void> {
  if (!places.has(environment)) return
  const users = new Users(database, new Password())
  if ((await users.fetch(demoAccount.email)) !== null) return
  const user = await users.enroll(demoAccount.email, demoAccount.password)
  if (user !== null) await users.confirm(user)
}

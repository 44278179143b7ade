import { Environments } from 'framework'
import { Password, Users } from 'framework/auth'
import type { Surface } from 'framework/database'

/** Where the seed runs: the password of the account is public. */
export const environments = [Environments.Development, Environments.Test] as const

/** The account that is seeded. */
export const member = { email: 'member@example.com', password: 'let me see it all' } as const

/** Creates an account to try things with. */
export async function seed(database: Surface): Promise<void> {
  const users = new Users(database, new Password())
  if ((await users.fetch(member.email)) !== null) return
  const user = await users.enroll(member.email, member.password)
  if (user !== null) await users.confirm(user)
}

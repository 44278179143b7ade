import { Environments } from 'framework'
import { Password, Users } from 'framework/auth'
import type { Surface } from 'framework/database'

/** Where the seed runs: the password of the account is public. */
export const environments = [Environments.Development, Environments.Test] as const

const password = 'let me see it all'

/** A patient. */
export const member = { email: 'member@example.com', password } as const
/** Somebody at the desk. */
export const staff = { email: 'staff@example.com', password } as const

/** Creates accounts to try things with. */
export async function seed(database: Surface): Promise<void> {
  const kinds = { name: 'text', role: 'text' } as const
  const users = new Users<{ name: string; role: string }>(database, new Password(), {
    fields: kinds,
  })
  for (const [{ email }, name, role] of [
    [member, 'Max', 'patient'],
    [staff, 'Sam', 'staff'],
  ] as const) {
    if ((await users.fetch(email)) !== null) continue
    const user = await users.enroll(email, password, { fields: { name, role } })
    if (user !== null) await users.confirm(user)
  }
}

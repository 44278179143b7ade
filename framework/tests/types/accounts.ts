import * as v from 'valibot'
import { accounts } from '../../src/public/accounts.ts'
import type { AccountsOf } from '../../src/public/accounts.ts'
import type { Boot } from '../../src/public/framework.ts'
import { storeScopes } from '../../src/public/stores.ts'
import type { Stores } from '../../src/public/stores.ts'

declare const stores: Stores & { readonly site: { readonly title: string } }

const Profile = v.object({ name: v.string(), role: v.picklist(['staff', 'patient']) })

const clinic = accounts({
  registration: { fields: Profile, initial: { role: 'patient' } },
  secondFactor: { required: (user) => user.role === 'staff' },
  apiTokens: { scopes: { 'bookings:read': 'Read your bookings' } },
  after: { signIn: '/bookings' },
  on: { registered: (user) => user.name.length },
})
const configs = { ...storeScopes, ...clinic.configs }
declare const boot: Boot<typeof configs>

const opened = await clinic.open(boot, stores)

// The columns of the project reach the rows, typed.
const role: 'staff' | 'patient' | undefined = (await opened.users.find('1'))?.role
await opened.users.enroll('ada@example.org', 'quiet copper lamp', { fields: { name: 'Ada' } })
// @ts-expect-error there is no such column
await opened.users.enroll('ada@example.org', 'quiet copper lamp', { fields: { size: 1 } })

// A scope that does not exist does not compile.
opened.bearer.scopes('bookings:read')
// @ts-expect-error no token can have it
opened.bearer.scopes('bookings:write')

// What is off is null.
opened.authenticator.name satisfies string
opened.passkeys satisfies null
// @ts-expect-error it was not turned on
void opened.deletion.due('1')

// Options that contradict each other, or mean nothing, do not compile.
// @ts-expect-error nobody can be required to have what is off
accounts({ secondFactor: false, required: () => true })
// @ts-expect-error the user has no such column
accounts({ secondFactor: { required: (user) => user.size > 1 } })
// @ts-expect-error no account can have this role
accounts({ registration: { fields: Profile, initial: { role: 'owner' } } })
// @ts-expect-error a path of the project begins with a slash
accounts({ after: { signIn: 'https://elsewhere.example' } })
// @ts-expect-error nobody registers
accounts({ registration: false, after: { registration: '/welcome' } })
// @ts-expect-error tokens without a scope could do nothing
accounts({ apiTokens: true })

export const generic: Pick<AccountsOf<object>, 'users'> = opened
export { role }

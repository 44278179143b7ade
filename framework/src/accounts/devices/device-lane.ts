import { normalEmail } from '../email-address.ts'
import type { AccountLane } from '../../http/rate-limits/account-limit.ts'
import type { Remember } from './remember.ts'
import type { LoadIdentity } from '../guards/guard.ts'

/**
 * A lane of an `AccountLimit` for each trusted device of the account, so that strangers who try its
 * password or codes never make the owner wait. Accounts are named by e-mail or id; `load` finds the one of
 * a device: `deviceLane(remember, (id) => users.find(id))`.
 */
export function deviceLane(remember: Remember, load: LoadIdentity): AccountLane {
  return async (request, account) => {
    const device = await remember.device(request)
    if (device === null) return null
    if (account === device.user) return device.handle
    const owner = await load(device.user)
    const isOwn = owner?.email !== undefined && normalEmail(account) === normalEmail(owner.email)
    return isOwn ? device.handle : null
  }
}

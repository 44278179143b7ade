import { parseAddress } from '../mail/address.ts'
import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope } from '../settings/scope.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'

/** The settings of the error inbox. */
export type ErrorInboxScope = ConfigScope<{
  readonly mail: Variable<string>
}>

const mailbox: VariableKind<string> = {
  expects: 'a mailbox such as ops@example.org, or nothing',
  acceptsEmpty: true,
  parse(text) {
    if (text === '') return text
    try {
      parseAddress('ERRORS_MAIL', text)
      return text
    } catch {
      return undefined
    }
  },
}

/** The scope `errors`: who is told when a resolved error comes back. */
export const errorInboxScope: ErrorInboxScope = scope('errors', {
  mail: env.custom('ERRORS_MAIL', mailbox, {
    default: '',
    meaning: 'address that gets a mail when a resolved error comes back; empty for none',
  }),
})

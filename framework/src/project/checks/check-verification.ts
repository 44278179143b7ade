import { authScope } from '../../accounts/accounts-settings.ts'
import type { Check } from './check-context.ts'
import { note } from './finding.ts'
import { settingOf } from './setting-of.ts'

/** Says what it means that opening a link verifies an e-mail. */
export const checkVerification: Check = (context) => {
  if (settingOf(context, authScope.variables.verify) !== 'link') return []
  const what = 'AUTH_VERIFY is link: opening a verification link is enough'
  const why =
    'a mail scanner that opens links verifies addresses too; accounts then need a code from the mailbox before they get a factor, a passkey, a token or another site'
  return [note(what, why, 'set AUTH_VERIFY=confirm to ask for a click first, or leave it')]
}

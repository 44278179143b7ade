import type { Boot } from 'framework'
import type { Database } from 'framework/database'
import { errorInboxFrom } from 'framework/errors'
import type { ErrorInbox } from 'framework/errors'
import type { Mailer } from 'framework/mail'
import type { Configs } from '../configs/manifest.ts'
import { errorMails } from './error-mails.ts'

/** The inbox of errors; null while ERRORS_ACCOUNTS names nobody who may see it. */
export function openErrors(
  boot: Boot<Configs>,
  { database, mailer }: { database: Database; mailer: Mailer },
): ErrorInbox | null {
  if (boot.configs.errors.accounts.length === 0) return null
  return errorInboxFrom(boot, { database, onReturn: errorMails(mailer, boot) })
}

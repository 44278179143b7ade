import { DEFAULT_SENDER } from '../../mail/address.ts'
import { MailSecurity } from '../../mail/mail-security.ts'
import { mailScope } from '../../mail/mail-settings.ts'
import type { Check, CheckContext } from './check-context.ts'
import { warning } from './finding.ts'
import type { Finding } from './finding.ts'
import { isLoopbackHost } from '../../base/addresses/is-loopback-host.ts'
import { settingOf } from './setting-of.ts'

/** Whether mails reach people, if the project sends any. */
export const checkMail: Check = (context) => {
  const host = settingOf(context, mailScope.variables.host)
  if (host === undefined) return []
  if (host === '') {
    const why = 'mails are files in storage/mails, so nobody gets a link to reset a password'
    return [warning('MAIL_HOST is not set', why, 'set MAIL_HOST to your mail server')]
  }
  return [...checkSender(context), ...checkConnection(context, host)]
}

function checkSender(context: CheckContext): readonly Finding[] {
  if (settingOf(context, mailScope.variables.from) !== DEFAULT_SENDER) return []
  const why = 'most mail servers refuse mails from it or put them among the spam'
  const fix = 'set MAIL_FROM to an address of your domain, such as no-reply@shop.example'
  return [warning(`MAIL_FROM is ${DEFAULT_SENDER}`, why, fix)]
}

function checkConnection(context: CheckContext, host: string): readonly Finding[] {
  const secure = settingOf(context, mailScope.variables.secure)
  if (secure !== MailSecurity.None || isLoopbackHost(host)) return []
  const why = 'whoever sees the network traffic reads links that reset passwords'
  const fix = 'set MAIL_SECURE to starttls or tls'
  return [warning('mails are sent over an unencrypted connection', why, fix)]
}

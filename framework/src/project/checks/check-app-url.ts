import { given } from '../../settings/scope.ts'
import { serverScope } from '../../http/server/server-settings.ts'
import type { Check } from './check-context.ts'
import { error, warning } from './finding.ts'
import { isLoopbackHost } from '../../base/addresses/is-loopback-host.ts'

/** The public address: links in mails, such as those that reset passwords, are built from it. */
export const checkAppUrl: Check = ({ source, server }) => {
  if (given(serverScope.variables.url, source) === null) {
    const why = `links in mails lead to ${server.url}, the address the server listens on`
    const fix = 'set APP_URL to the address people type, such as https://shop.example'
    return [error('APP_URL is not set', why, fix)]
  }
  const { protocol, hostname, origin } = new URL(server.url)
  if (isLoopbackHost(hostname)) {
    const fix = 'set APP_URL to the address people type, such as https://shop.example'
    return [warning(`APP_URL is ${origin}`, 'only this machine can open links in mails', fix)]
  }
  if (protocol === 'https:') return []
  const why = 'passwords travel unencrypted, and browsers refuse cookies marked Secure'
  const fix = 'serve the site over TLS, for example behind a proxy, and start APP_URL with https://'
  return [warning('APP_URL begins with http://', why, fix)]
}

import type { Boot } from 'framework'
import type { ErrorGroup } from 'framework/errors'
import { Message } from 'framework/mail'
import type { Mailer } from 'framework/mail'
import type { Configs } from '../configs/manifest.ts'

/** Sends the mail about an error that came back after it was resolved, if ERRORS_MAIL is set. */
export function errorMails(
  mailer: Mailer,
  { configs, server }: Boot<Configs>,
): (group: ErrorGroup) => Promise<void> {
  const { mail } = configs.errors
  const link = (path: string): string => new URL(path, server.url).href
  return async (group) => {
    if (mail === '') return
    const message = new Message({
      to: mail,
      subject: 'A resolved error came back',
      view: 'mails/error-returned',
      data: {
        group,
        link: link(`/errors/${group.fingerprint}`),
        site: { title: configs.app.title },
        home: link('/'),
      },
    })
    await mailer.deliver(message)
  }
}

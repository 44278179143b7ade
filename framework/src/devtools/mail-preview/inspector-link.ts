import { html } from '../../errors/reports/page-text.ts'
import { Recorder } from '../inspector/recorder.ts'
import type { ReadMail } from '../../mail/read-mail.ts'

/** A link to the inspector, for a mail to what has sent it; empty if nothing is recorded. */
export function inspectorLink(mail: ReadMail | null): string {
  if (Recorder.Instance === null) return ''
  const message = mail?.header('message-id')?.replace(/^<(.*)>$/, '$1') ?? ''
  if (message === '') return ' · <a href="/inspect">Inspector</a>'
  return ` · <a href="${html(`/inspect?q=${encodeURIComponent(message)}`)}">What sent it</a>`
}

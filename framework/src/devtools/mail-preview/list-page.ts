import { html } from '../../errors/reports/page-text.ts'
import type { ListedMail, MailList } from './mail-folder.ts'
import { inspectorLink } from './inspector-link.ts'
import { documentOf, moment } from '../page-frame.ts'

/** The list of mails, newest first. */
export function listPage({ mails, all }: MailList, nonce: string): string {
  const body =
    `<header><nav><a href="/">Back to the site</a>${inspectorLink(null)}</nav><h1>Mails</h1>` +
    `<p class="count">${countOf(mails.length, all)}</p></header>` +
    `<main>${mails.length === 0 ? nothing : table(mails)}</main>`
  return documentOf('Mails', body, nonce)
}

const nothing =
  `<p class="card none">No mails yet. Mails written to <code>storage/mails</code> appear here; ` +
  `reload after sending one.</p>`

function countOf(shown: number, all: number): string {
  if (all === 0) return ''
  const count = `${all} ${all === 1 ? 'mail' : 'mails'} in storage/mails`
  return shown < all ? `${count}, showing the newest ${shown}` : count
}

function table(mails: readonly ListedMail[]): string {
  return (
    `<div class="card"><table><thead><tr><th scope="col">Written</th><th scope="col">To</th>` +
    `<th scope="col">Subject</th></tr></thead><tbody>${mails.map(row).join('')}</tbody></table></div>`
  )
}

function row({ id, written, mail }: ListedMail): string {
  const subject = mail.header('subject') ?? ''
  return (
    `<tr><td>${moment(written)}</td><td>${html(mail.header('to') ?? '')}</td>` +
    `<td><a href="/mails/${id}">${subject === '' ? '(no subject)' : html(subject)}</a></td></tr>`
  )
}

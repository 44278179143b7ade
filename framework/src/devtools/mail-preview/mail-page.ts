import { html } from '../../errors/reports/page-text.ts'
import type { ReadMail } from '../../mail/read-mail.ts'
import type { StoredMail } from './mail-folder.ts'
import { inspectorLink } from './inspector-link.ts'
import { definition, documentOf, moment } from '../page-frame.ts'

const shown = ['From', 'To', 'Cc', 'Reply-To', 'Date']
const address = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g

/** One mail: sender and recipients, its HTML in a frame, its text, attachments and all headers. */
export function mailPage({ id, written, mail }: StoredMail, nonce: string): string {
  const subject = mail.header('subject') ?? ''
  const title = subject === '' ? '(no subject)' : subject
  const body =
    `<header><nav><a href="/mails">All mails</a>${inspectorLink(mail)}</nav><h1>${html(title)}</h1>` +
    `<p class="count">Written ${moment(written)} · <a href="/mails/${id}/source">Source</a></p>` +
    `</header><main>${envelope(mail)}${htmlPart(id, mail)}${textPart(mail)}` +
    `${files(id, mail)}${headers(mail)}</main>`
  return documentOf(title, body, nonce)
}

function envelope(mail: ReadMail): string {
  const rows = shown.flatMap((name) => {
    const value = mail.header(name)
    return value === null ? [] : [definition(name, html(value))]
  })
  const delivered = mail.headers.filter(({ name }) => name.toLowerCase() === 'delivered-to')
  const recipients = delivered.map(({ value }) => value).join(', ')
  return `<dl class="card">${rows.join('')}${definition('Delivered to', html(recipients))}</dl>`
}

function htmlPart(id: string, mail: ReadMail): string {
  if (mail.html === null) return ''
  // Also as an attribute, which applies before the policy of the framed document arrives.
  return section(
    'HTML',
    `<iframe class="card" title="HTML of the mail" src="/mails/${id}/html" ` +
      `sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>` +
      `<p class="note">Remote content and scripts are blocked. ` +
      `<a href="/mails/${id}/html">Open in its own page</a></p>`,
  )
}

function textPart({ text }: ReadMail): string {
  if (text === null) return ''
  return section('Text', `<pre class="card" tabindex="0">${withLinks(text)}</pre>`)
}

function withLinks(text: string): string {
  let linked = ''
  let done = 0
  for (const { 0: url, index } of text.matchAll(address)) {
    linked +=
      html(text.slice(done, index)) +
      `<a href="${html(url)}" target="_blank" rel="noreferrer">${html(url)}</a>`
    done = index + url.length
  }
  return linked + html(text.slice(done))
}

function files(id: string, { attachments }: ReadMail): string {
  if (attachments.length === 0) return ''
  const items = attachments.map(
    ({ name, type, content }, at) =>
      `<li><a href="/mails/${id}/attachments/${at}">${html(name)}</a> ` +
      `<span class="note">${html(type)}, ${content.length.toLocaleString('en')} bytes</span></li>`,
  )
  return section('Files', `<ul class="card">${items.join('')}</ul>`)
}

function headers(mail: ReadMail): string {
  const rows = mail.headers.map(
    ({ name, value }) => `<tr><th scope="row">${html(name)}</th><td>${html(value)}</td></tr>`,
  )
  return (
    `<details><summary>All headers</summary><div class="card"><table class="headers"><tbody>` +
    `${rows.join('')}</tbody></table></div></details>`
  )
}

function section(title: string, content: string): string {
  return `<section><h2>${title}</h2>${content}</section>`
}

import { html } from '../../errors/reports/page-text.ts'
import type { ReadMail, ReadAttachment } from '../../mail/read-mail.ts'
import { Recorder } from '../inspector/recorder.ts'
import { definition, documentOf, moment } from '../page-frame.ts'
import type { StoredMail, ListedMail, MailList } from './mail-folder.ts'

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

/** A link to the inspector, for a mail to what has sent it; empty if nothing is recorded. */
function inspectorLink(mail: ReadMail | null): string {
  if (Recorder.Instance === null) return ''
  const message = mail?.header('message-id')?.replace(/^<(.*)>$/, '$1') ?? ''
  if (message === '') return ' · <a href="/inspect">Inspector</a>'
  return ` · <a href="${html(`/inspect?q=${encodeURIComponent(message)}`)}">What sent it</a>`
}

const contentIds = /\bcid:([^"'\s)>]+)/g
const newWindows = '<base target="_blank">'

/** The HTML of a mail with inlined images and links that open new windows; null if it has none. */
export function mailHtml({ html, attachments }: ReadMail): string | null {
  if (html === null) return null
  const pictures = new Map(
    attachments.flatMap((file) => (isPicture(file) ? [[file.cid, dataUrl(file)] as const] : [])),
  )
  const whole = html.replaceAll(contentIds, (match, cid: string) => pictures.get(cid) ?? match)
  return withHead(whole)
}

// Not before the doctype, which would switch browsers to quirks mode.
function withHead(html: string): string {
  const found = /<head(?:\s[^>]*)?>/i.exec(html) ?? /^\s*<!doctype[^>]*>/i.exec(html)
  const at = found === null ? 0 : found.index + found[0].length
  return html.slice(0, at) + newWindows + html.slice(at)
}

function isPicture({ cid, type }: ReadAttachment): boolean {
  return cid !== null && /^image\/[\w.+-]+$/.test(type)
}

function dataUrl({ type, content }: ReadAttachment): string {
  return `data:${type};base64,${content.toString('base64')}`
}

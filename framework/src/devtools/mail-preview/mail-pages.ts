import { join } from 'node:path'
import { Views } from '../../base/templates/views.ts'
import { table } from '../../errors/page/page-context.ts'
import { htmlDocument, nonceAttribute } from '../../errors/reports/html-document.ts'
import { html } from '../../errors/reports/page-text.ts'
import type { ReadMail, ReadAttachment } from '../../mail/read-mail.ts'
import { Recorder } from '../inspector/recorder.ts'
import { moment } from '../moment.ts'
import { modulePath } from '../page-modules.ts'
import type { ToolFrame } from '../tools.ts'
import type { StoredMail, ListedMail, MailList } from './mail-folder.ts'

/** The folder of its modules, for `serveModules`. */
export const modulesFolder: string = join(import.meta.dirname, 'in-page')

const views = new Views(join(import.meta.dirname, 'views'), {
  escape: html,
  globals: { countOf, mailRow, moment, table, withLinks },
})

/** The list of mails, newest first. Its script adds what comes. */
export function listPage(list: MailList, frame: ToolFrame): string {
  const script =
    `<script type="module" src="/mails/page/${modulePath(modulesFolder, 'dom/mails')}"` +
    `${nonceAttribute(frame.nonce)}></script>`
  const body = views.render('list', { list }) + script
  return htmlDocument({ title: 'Mails', page: 'mails', body, ...frame })
}

/** What the script of an open list shows. */
export function listedMails(list: MailList): {
  readonly count: string
  readonly rows: readonly (readonly string[])[]
} {
  return { count: countOf(list), rows: list.mails.map(mailRow) }
}

function countOf({ mails: { length: shown }, all }: MailList): string {
  if (all === 0) return ''
  const count = `${all} ${all === 1 ? 'mail' : 'mails'} in storage/mails`
  return shown < all ? `${count}, showing the newest ${shown}` : count
}

function mailRow({ id, written, mail }: ListedMail): readonly string[] {
  const at = new Date(written * 1000).toISOString()
  return [
    `/mails/${id}`,
    `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`,
    mail.header('to') ?? '',
    titleOf(mail),
  ]
}

function titleOf(mail: ReadMail): string {
  return mail.header('subject') || '(no subject)'
}

/** How the HTML of a mail is shown. */
export interface MailLook {
  readonly width: 'desktop' | 'phone'
  readonly scheme: 'light' | 'dark'
}

const shown = ['From', 'To', 'Cc', 'Reply-To', 'Date']
const address = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/

/** One mail: sender and recipients, its HTML in a frame, its text, attachments and all headers. */
export function mailPage(stored: StoredMail, look: MailLook, frame: ToolFrame): string {
  const { mail } = stored
  const title = titleOf(mail)
  const delivered = mail.headers.filter(({ name }) => name.toLowerCase() === 'delivered-to')
  const envelope = [
    ...shown.map((name) => [name, mail.header(name) ?? ''] as const),
    ['Delivered to', delivered.map(({ value }) => value).join(', ')] as const,
  ].filter(([, value]) => value !== '')
  const values = { ...stored, ...look, title, envelope, sender: senderLink(mail) }
  const body = views.render('mail', values)
  return htmlDocument({ title, page: 'mails', body, ...frame })
}

/** Where to find what has sent a mail; empty if nothing is recorded. */
function senderLink(mail: ReadMail): string {
  const message = mail.header('message-id')?.replace(/^<(.*)>$/, '$1') ?? ''
  if (Recorder.Instance === null || message === '') return ''
  return `/inspect?q=${encodeURIComponent(message)}`
}

function withLinks(text: string): string {
  // Every second part is an address.
  const parts = text.split(address).map(html)
  return parts
    .map((part, at) =>
      at % 2 === 0 ? part : `<a href="${part}" target="_blank" rel="noreferrer">${part}</a>`,
    )
    .join('')
}

const contentIds = /\bcid:([^"'\s)>]+)/g
const newWindows = '<base target="_blank">'

const schemes = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi

/**
 * The HTML of a mail with inlined images and links that open new windows, in these colours whatever
 * the browser prefers; null if it has none.
 */
export function mailHtml(
  { html, attachments }: ReadMail,
  scheme: MailLook['scheme'],
): string | null {
  if (html === null) return null
  const pictures = new Map(
    attachments.flatMap((file) => (isPicture(file) ? [[file.cid, dataUrl(file)] as const] : [])),
  )
  const whole = html.replaceAll(contentIds, (match, cid: string) => pictures.get(cid) ?? match)
  const chosen = whole.replaceAll(schemes, (_, name: string) =>
    name.toLowerCase() === scheme ? '(min-width: 0)' : '(max-width: 0)',
  )
  // The canvas of a mail that knows no dark colours stays white.
  const style = /color-scheme/i.test(html)
    ? `<style>:root { color-scheme: ${scheme} !important }</style>`
    : ''
  return withHead(chosen, newWindows + style)
}

// Not before the doctype, which would switch browsers to quirks mode.
function withHead(html: string, added: string): string {
  const found = /<head(?:\s[^>]*)?>/i.exec(html) ?? /^\s*<!doctype[^>]*>/i.exec(html)
  const at = found === null ? 0 : found.index + found[0].length
  return html.slice(0, at) + added + html.slice(at)
}

function isPicture({ cid, type }: ReadAttachment): boolean {
  return cid !== null && /^image\/[\w.+-]+$/.test(type)
}

function dataUrl({ type, content }: ReadAttachment): string {
  return `data:${type};base64,${content.toString('base64')}`
}

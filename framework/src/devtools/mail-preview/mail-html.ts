import type { ReadAttachment, ReadMail } from '../../mail/read-mail.ts'

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

import { AssertionError } from 'node:assert'
import { htmlTags } from './html-tags.ts'
import { htmlText } from './html-text.ts'

/** A link of a page. */
interface HtmlLink {
  /** What a screen reader says: its `aria-label`, or its text. */
  readonly text: string
  readonly href: string
}

/**
 * Where a link of a page leads to, by its text: a path with its query.
 * @throws AssertionError if the page has no such link, or if it leads to another site.
 */
export function linkNamed(page: string, text: string, url: string): string {
  const links = linksOn(page)
  const found = links.find((link) => link.text === text)
  if (found === undefined) {
    const list = links.map((link) => link.text).join(', ')
    throw missing(
      `no link on ${url} is called ${text}; ${list === '' ? 'it has none' : `its links: ${list}`}`,
    )
  }
  const { origin, pathname, search } = new URL(found.href, new URL(url, site))
  if (origin === site) return `${pathname}${search}`
  throw missing(`the link ${text} on ${url} leads to another site, ${found.href}`)
}

// The visitor has paths only.
const site = 'http://site.test'

function linksOn(page: string): HtmlLink[] {
  const tags = htmlTags(page)
  return tags.flatMap(({ name, isEnd, attributes, end }, at) => {
    const href = attributes.get('href')
    if (name !== 'a' || isEnd || href === undefined) return []
    const close = tags.slice(at + 1).find((tag) => tag.name === 'a' && tag.isEnd)
    const text = attributes.get('aria-label') ?? htmlText(page.slice(end, close?.start))
    return [{ text, href }]
  })
}

function missing(message: string): AssertionError {
  return new AssertionError({ message, stackStartFn: linkNamed })
}

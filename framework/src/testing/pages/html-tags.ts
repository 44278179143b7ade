import { decodeEntities } from './html-text.ts'

/** A tag of a page. */
export interface HtmlTag {
  /** In lower case. */
  readonly name: string
  readonly isEnd: boolean
  /** Attributes by lower-case name, decoded; those without a value are empty. */
  readonly attributes: ReadonlyMap<string, string>
  /** Where it begins in the page, and where the text after it does. */
  readonly start: number
  readonly end: number
}

const tagForm = /<(\/?)([a-z][a-z\d-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi
const attributeForm = /([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

/** The tags of a page in order. It is no parser of all HTML, but of what templates write. */
export function htmlTags(page: string): HtmlTag[] {
  // Of the same length, so that positions stay those of the page.
  const shown = page.replaceAll(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1>/gi, (hidden) =>
    ' '.repeat(hidden.length),
  )
  return Array.from(shown.matchAll(tagForm), (match) => {
    const [whole, slash = '', name = '', attributes = ''] = match
    return {
      name: name.toLowerCase(),
      isEnd: slash !== '',
      attributes: attributesIn(attributes),
      start: match.index,
      end: match.index + whole.length,
    }
  })
}

function attributesIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single, bare] of text.matchAll(attributeForm)) {
    found.set(name.toLowerCase(), decodeEntities(double ?? single ?? bare ?? ''))
  }
  return found
}

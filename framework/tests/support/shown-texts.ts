import { parse } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'

const unread: ReadonlySet<string> = new Set(['code', 'pre', 'script', 'style', 'svg', 'template'])
const shown: ReadonlySet<string> = new Set(['alt', 'aria-label', 'placeholder', 'title'])

/** Whether an attribute says that an element is the same on every page: a name, or a text in a language of its own. */
function isSame({ name, value }: { readonly name: string; readonly value: string }): boolean {
  return name === 'lang' || (name === 'translate' && value === 'no')
}

/** What people read on a page: its text, then that of attributes. What has a language of its own is left out. */
export function shownTexts(html: string): string[] {
  const attributes: string[] = []
  let page = ''
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (node.nodeName === '#text' && 'value' in node) page += `${node.value}\n`
    if (!('childNodes' in node) || unread.has(node.nodeName)) return
    const own = 'attrs' in node ? node.attrs : []
    if (node.nodeName !== 'html' && own.some(isSame)) return
    for (const { name, value } of own) if (shown.has(name)) attributes.push(value)
    node.childNodes.forEach(visit)
  }
  visit(parse(html, { scriptingEnabled: false }))
  return [page, ...attributes]
}

import { formsOn } from './html-forms.ts'
import { htmlTags } from './html-tags.ts'
import { htmlText } from './html-text.ts'

/** The flash message of a page, the text of the element with the class `flash`; null if there is none. */
export function messageOn(page: string): string | null {
  const found = htmlTags(page).find(
    ({ isEnd, attributes }) => !isEnd && attributes.get('class')?.split(/\s+/).includes('flash'),
  )
  if (found === undefined) return null
  return htmlText(page.slice(found.end, closing(page, found.name, found.end)))
}

/** The errors of a form by field: the texts of the elements with the id `<field>-error`. */
export function errorsOn(page: string): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { isEnd, name, attributes, end } of htmlTags(page)) {
    const field = /^(.+)-error$/.exec(attributes.get('id') ?? '')?.[1]
    if (!isEnd && field !== undefined) {
      errors[field] = htmlText(page.slice(end, closing(page, name, end)))
    }
  }
  return errors
}

/** The value of the first field of this name; null if it is empty or there is none. */
export function valueOn(page: string, field: string): string | null {
  for (const { fields } of formsOn(page)) {
    const found = fields.find(({ name }) => name === field)
    if (found !== undefined) return found.value === '' ? null : found.value
  }
  return null
}

/** The CSRF token in the forms of a page; empty if there is none. */
export function tokenOn(page: string): string {
  return valueOn(page, '_token') ?? ''
}

/** Where the element that begins before `from` ends, with elements of the same kind inside it. */
function closing(page: string, name: string, from: number): number {
  let depth = 1
  for (const tag of htmlTags(page)) {
    if (tag.start < from || tag.name !== name) continue
    depth += tag.isEnd ? -1 : 1
    if (depth === 0) return tag.start
  }
  return page.length
}

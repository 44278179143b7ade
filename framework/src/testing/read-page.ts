import { AssertionError } from 'node:assert'
import { attribute, elementsOn, textOf } from './html-elements.ts'
import { formsOn } from './html-forms.ts'

/** The flash message of a page, the text of the element with the class `flash`; null if there is none. */
export function messageOn(page: string): string | null {
  const found = elementsOn(page).find((element) =>
    attribute(element, 'class')?.split(/\s+/).includes('flash'),
  )
  return found === undefined ? null : textOf(found)
}

/** The errors of a form by field: the texts of the elements with the id `<field>-error`. */
export function errorsOn(page: string): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const element of elementsOn(page)) {
    const field = /^(.+)-error$/.exec(attribute(element, 'id') ?? '')?.[1]
    if (field !== undefined) errors[field] = textOf(element)
  }
  return errors
}

/** The value of the first field of this name; null if it is empty or there is none. */
export function valueOn(page: string, field: string): string | null {
  const fields = formsOn(page).flatMap((form) => form.fields)
  return fields.find(({ name }) => name === field)?.value || null
}

/** The CSRF token in the forms of a page; empty if there is none. */
export function tokenOn(page: string): string {
  return valueOn(page, '_token') ?? ''
}

// A visitor has paths only.
const site = 'http://site.test'

/**
 * Where a link of a page leads to, by its `aria-label` or its text: a path with its query.
 * @throws AssertionError if the page has no such link, or if it leads to another site.
 */
export function linkNamed(page: string, text: string, url: string): string {
  const links = elementsOn(page).flatMap((element) => {
    const href = element.tagName === 'a' ? attribute(element, 'href') : null
    return href === null
      ? []
      : [{ text: attribute(element, 'aria-label') ?? textOf(element), href }]
  })
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

function missing(message: string): AssertionError {
  return new AssertionError({ message, stackStartFn: linkNamed })
}

import { attribute, elementsIn, elementsOn, textOf } from './html-elements.ts'
import type { HtmlElement } from './html-elements.ts'

/** A field of a form. */
export interface HtmlField {
  readonly name: string
  /** `text`, `checkbox`, `hidden`, …; `select` and `textarea` for those elements. */
  readonly type: string
  /** What it sends, or would send if it were checked. */
  readonly value: string
  /** Whether it is sent unless somebody changes it. */
  readonly isSent: boolean
  /** The text of its label; empty if it has none. */
  readonly label: string
}

/** A button of a form. */
export interface HtmlButton {
  readonly name: string
  readonly value: string
  readonly text: string
}

/** A form of a page. */
export interface HtmlForm {
  /** The path it is sent to; empty for that of its page. */
  readonly action: string
  /** `GET` or `POST`. */
  readonly method: string
  /** Whether it may send files. */
  readonly isMultipart: boolean
  readonly fields: readonly HtmlField[]
  readonly buttons: readonly HtmlButton[]
}

/** The forms of a page, in order. */
export function formsOn(page: string): HtmlForm[] {
  const elements = elementsOn(page)
  const labels = labelsOf(elements)
  return elements
    .filter(({ tagName }) => tagName === 'form')
    .map((form) => {
      const inside = elementsIn(form).filter((element) => attribute(element, 'disabled') === null)
      return {
        action: attribute(form, 'action') ?? '',
        method: (attribute(form, 'method') ?? 'get').toUpperCase(),
        isMultipart: attribute(form, 'enctype') === 'multipart/form-data',
        fields: inside.flatMap((element) => fieldOf(element, labels) ?? []),
        buttons: inside.flatMap((element) => buttonOf(element) ?? []),
      }
    })
}

/** The texts of labels, by the id of their field and by the fields inside them. */
interface Labels {
  readonly byId: ReadonlyMap<string | null, string>
  readonly byField: ReadonlyMap<HtmlElement, string>
}

function labelsOf(elements: readonly HtmlElement[]): Labels {
  const byId = new Map<string | null, string>()
  const byField = new Map<HtmlElement, string>()
  for (const label of elements.filter(({ tagName }) => tagName === 'label')) {
    // Without that of the field inside it.
    const text = textOf(label, ['select', 'textarea', 'button'])
    const id = attribute(label, 'for')
    if (id !== null) byId.set(id, text)
    for (const field of elementsIn(label)) byField.set(field, text)
  }
  return { byId, byField }
}

const buttonTypes: ReadonlySet<string> = new Set(['submit', 'image', 'button', 'reset'])

function fieldOf(element: HtmlElement, { byId, byField }: Labels): HtmlField | null {
  const { tagName } = element
  if (!['input', 'select', 'textarea'].includes(tagName)) return null
  const type = tagName === 'input' ? (attribute(element, 'type') ?? 'text').toLowerCase() : tagName
  const name = attribute(element, 'name') ?? ''
  if (name === '' || buttonTypes.has(type)) return null
  const own = attribute(element, 'aria-label') ?? ''
  const label =
    byId.get(attribute(element, 'id')) ?? (own === '' ? (byField.get(element) ?? '') : own)
  const isChoice = type === 'checkbox' || type === 'radio'
  const isSent = type !== 'file' && (!isChoice || attribute(element, 'checked') !== null)
  return { name, type, label, isSent, value: valueOf(element, isChoice ? 'on' : '') }
}

function valueOf(element: HtmlElement, fallback: string): string {
  if (element.tagName === 'select') return chosen(element)
  if (element.tagName !== 'textarea') return attribute(element, 'value') ?? fallback
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('')
}

/** The value of the selected option of a list, or of its first one. */
function chosen(select: HtmlElement): string {
  const options = elementsIn(select).filter(({ tagName }) => tagName === 'option')
  const option = options.find((one) => attribute(one, 'selected') !== null) ?? options[0]
  return option === undefined ? '' : (attribute(option, 'value') ?? textOf(option))
}

function buttonOf(element: HtmlElement): HtmlButton | null {
  const isButton = element.tagName === 'button'
  if (!isButton && element.tagName !== 'input') return null
  const type = attribute(element, 'type')?.toLowerCase() ?? (isButton ? 'submit' : '')
  if (type !== 'submit') return null
  const value = attribute(element, 'value') ?? ''
  const text = attribute(element, 'aria-label') ?? (isButton ? textOf(element) : value)
  return { name: attribute(element, 'name') ?? '', value, text }
}

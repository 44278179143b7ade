import { htmlTags } from './html-tags.ts'
import type { HtmlTag } from './html-tags.ts'
import { decodeEntities, htmlText } from './html-text.ts'

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

/** A field while its page is read; its label may come later. */
interface FoundField extends Omit<HtmlField, 'label'> {
  readonly id: string
  label: string
}

interface FoundForm extends Omit<HtmlForm, 'fields' | 'buttons'> {
  readonly fields: FoundField[]
  readonly buttons: HtmlButton[]
}

const buttonTypes: ReadonlySet<string> = new Set(['submit', 'image', 'button', 'reset'])

/** The forms of a page, in order. */
export function formsOn(page: string): HtmlForm[] {
  const tags = htmlTags(page)
  const labels = new Map<string, string>()
  const forms: FoundForm[] = []
  let form: FoundForm | null = null
  let wrapping: { readonly tag: HtmlTag; readonly inside: FoundField[] } | null = null
  for (const [at, tag] of tags.entries()) {
    if (tag.name === 'form') {
      form = tag.isEnd ? null : newForm(tag)
      if (form !== null) forms.push(form)
    } else if (tag.name === 'label' && !tag.isEnd) {
      wrapping = { tag, inside: [] }
    } else if (tag.name === 'label' && wrapping !== null) {
      const text = labelText(page.slice(wrapping.tag.end, tag.start))
      const target = wrapping.tag.attributes.get('for')
      if (target !== undefined) labels.set(target, text)
      for (const field of wrapping.inside) field.label ||= text
      wrapping = null
    } else if (form !== null && !tag.isEnd) {
      const field = fieldAt(page, tags, at)
      if (field !== null) form.fields.push(field)
      if (field !== null) wrapping?.inside.push(field)
      const button = buttonAt(page, tags, at)
      if (button !== null) form.buttons.push(button)
    }
  }
  for (const field of forms.flatMap(({ fields }) => fields)) {
    field.label = labels.get(field.id) ?? field.label
  }
  return forms
}

/** The text of a label, without that of the field inside it. */
function labelText(html: string): string {
  return htmlText(html.replaceAll(/<(select|textarea|button)\b[\s\S]*?<\/\1>/gi, ' '))
}

function newForm({ attributes }: HtmlTag): FoundForm {
  return {
    action: attributes.get('action') ?? '',
    method: (attributes.get('method') ?? 'get').toUpperCase(),
    isMultipart: attributes.get('enctype') === 'multipart/form-data',
    fields: [],
    buttons: [],
  }
}

function fieldAt(page: string, tags: readonly HtmlTag[], at: number): FoundField | null {
  const tag = tags[at]
  if (tag === undefined || tag.attributes.has('disabled')) return null
  const { attributes } = tag
  const type = tag.name === 'input' ? (attributes.get('type') ?? 'text').toLowerCase() : tag.name
  const name = attributes.get('name') ?? ''
  if (name === '' || !['input', 'select', 'textarea'].includes(tag.name)) return null
  if (buttonTypes.has(type)) return null
  const isChoice = type === 'checkbox' || type === 'radio'
  const id = attributes.get('id') ?? ''
  const label = attributes.get('aria-label') ?? ''
  const isSent = type !== 'file' && (!isChoice || attributes.has('checked'))
  if (type === 'select') return { name, type, id, label, isSent, value: chosen(page, tags, at) }
  if (type === 'textarea') {
    // HTML drops a line break that directly follows the tag.
    const text = decodeEntities(contentOf(page, tags, at)).replace(/^\r?\n/, '')
    return { name, type, id, label, isSent, value: text }
  }
  return { name, type, id, label, isSent, value: attributes.get('value') ?? (isChoice ? 'on' : '') }
}

/** The value of the selected option of a list, or of its first one. */
function chosen(page: string, tags: readonly HtmlTag[], at: number): string {
  const options: { readonly value: string; readonly isSelected: boolean }[] = []
  for (let next = at + 1; next < tags.length; next += 1) {
    const tag = tags[next]
    if (tag === undefined || (tag.name === 'select' && tag.isEnd)) break
    if (tag.name !== 'option' || tag.isEnd) continue
    const value = tag.attributes.get('value') ?? htmlText(contentOf(page, tags, next))
    options.push({ value, isSelected: tag.attributes.has('selected') })
  }
  return (options.find(({ isSelected }) => isSelected) ?? options[0])?.value ?? ''
}

function buttonAt(page: string, tags: readonly HtmlTag[], at: number): HtmlButton | null {
  const tag = tags[at]
  if (tag === undefined || tag.attributes.has('disabled')) return null
  const { attributes } = tag
  const type = attributes.get('type')?.toLowerCase() ?? (tag.name === 'button' ? 'submit' : '')
  if (type !== 'submit' || !['button', 'input'].includes(tag.name)) return null
  const value = attributes.get('value') ?? ''
  const shown = tag.name === 'input' ? value : htmlText(contentOf(page, tags, at))
  const text = attributes.get('aria-label') ?? shown
  return { name: attributes.get('name') ?? '', value, text }
}

/** The HTML between a tag and the one that ends it. */
function contentOf(page: string, tags: readonly HtmlTag[], at: number): string {
  const tag = tags[at]
  if (tag === undefined) return ''
  const end = tags.find(({ name, isEnd, start }) => isEnd && name === tag.name && start >= tag.end)
  return page.slice(tag.end, end?.start ?? page.length)
}

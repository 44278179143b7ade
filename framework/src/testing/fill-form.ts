import { AssertionError } from 'node:assert'
import type { InjectedRequest } from '../http/server/inject.ts'
import { formsOn } from './html-forms.ts'
import type { HtmlField, HtmlForm } from './html-forms.ts'

/** Values by label or name: a text, a file, or whether a box is checked. */
export type FilledFields = Readonly<Record<string, string | boolean | File>>

/** Where a form is filled in. */
export interface FillOptions {
  /** The text of the button to press. @default none: as with the Enter key */
  readonly press: string | undefined
  /** The address of the page. */
  readonly url: string
}

/**
 * The request of a browser that fills in a form of a page and sends it.
 * @throws AssertionError if no form has these fields and the button.
 */
export async function fillForm(
  page: string,
  filled: FilledFields,
  { press, url }: FillOptions,
): Promise<InjectedRequest> {
  const forms = formsOn(page)
  const form = forms.find((one) => fits(one, filled, press))
  if (form === undefined) throw noSuchForm(forms, Object.keys(filled), { press, url })
  const entries = entriesOf(form, filled, press)
  const action = form.action === '' ? url : form.action
  const [path = '/'] = action.split('#', 1)
  if (form.method !== 'POST') {
    const query = new URLSearchParams(entries.map(asText))
    return { method: 'GET', url: `${path.split('?', 1)[0]}?${query.toString()}` }
  }
  if (!form.isMultipart) {
    const body = new URLSearchParams(entries.map(asText))
    return { method: 'POST', url: path, body }
  }
  const data = new FormData()
  for (const [name, value] of entries) data.append(name, value)
  const encoded = new Response(data)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return { method: 'POST', url: path, headers, body: new Uint8Array(await encoded.arrayBuffer()) }
}

function fits(form: HtmlForm, filled: FilledFields, press: string | undefined): boolean {
  const hasButton = press === undefined || form.buttons.some(({ text }) => text === press)
  return hasButton && Object.keys(filled).every((name) => form.fields.some(isCalled(name)))
}

function isCalled(wanted: string): (field: HtmlField) => boolean {
  return ({ name, label, type }) => name === wanted || (type !== 'hidden' && label === wanted)
}

type Entry = readonly [name: string, value: string | File]

/** What the form sends, in the order of its fields. */
function entriesOf(form: HtmlForm, filled: FilledFields, press: string | undefined): Entry[] {
  const keys = Object.keys(filled)
  const radios = form.fields.filter(({ type }) => type === 'radio')
  // Choosing one of a group clears the others.
  const chosen = new Set(
    radios.filter((field) => keys.some((key) => isCalled(key)(field))).map(({ name }) => name),
  )
  const entries = form.fields.flatMap((field): Entry[] => {
    const key = keys.find((one) => isCalled(one)(field))
    const given = key === undefined ? undefined : filled[key]
    const { name, type, value, isSent } = field
    const isCleared = type === 'radio' && chosen.has(name)
    if (given === undefined) return isSent && !isCleared ? [[name, value]] : []
    if (typeof given === 'boolean') return given ? [[name, value]] : []
    if (type !== 'radio') return [[name, given]]
    return given === value || given === field.label ? [[name, value]] : []
  })
  const button = form.buttons.find(({ text }) => text === press)
  if (button !== undefined && button.name !== '') entries.push([button.name, button.value])
  return entries
}

/** Like a browser, which sends the name of a file where a form has no room for the file. */
function asText([name, value]: Entry): [string, string] {
  return [name, typeof value === 'string' ? value : value.name]
}

function noSuchForm(
  forms: readonly HtmlForm[],
  names: readonly string[],
  { press, url }: FillOptions,
): AssertionError {
  const parts = [...names, ...(press === undefined ? [] : [`the button ${press}`])]
  const found = forms.map(({ fields, buttons }) => {
    const labels = fields.filter(({ type }) => type !== 'hidden')
    const texts = buttons.map(({ text }) => `[${text}]`)
    return [...labels.map(({ label, name }) => label || name), ...texts].join(', ')
  })
  const list = found.length === 0 ? 'it has no forms' : `its forms have: ${found.join('; ')}`
  return new AssertionError({
    message: `no form on ${url} has ${parts.join(', ') || 'anything to send'}; ${list}`,
    stackStartFn: fillForm,
  })
}
